"""Results and replies as LaTeX with booktabs tables; text from data cannot become a command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from statistikles.output.summary import summarise

__all__ = ["PREAMBLE", "escape_latex", "result_latex"]

PREAMBLE = "% Needs in the preamble: \\usepackage{booktabs}; UTF-8 input, as every LaTeX since 2018 reads it."
_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}", "[": r"{[}", "]": r"{]}",
    "−": "$-$", "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"\dots{}", "≤": r"$\leq$",
    "≥": r"$\geq$", "≠": r"$\neq$", "≈": r"$\approx$", "×": r"$\times$", "·": r"$\cdot$", "²": r"$^2$",
    "³": r"$^3$", "√": r"$\surd$", "∞": r"$\infty$", "±": r"$\pm$", "→": r"$\rightarrow$", "α": r"$\alpha$",
    "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ε": r"$\varepsilon$", "η": r"$\eta$", "θ": r"$\theta$",
    "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "ν": r"$\nu$", "π": r"$\pi$", "ρ": r"$\rho$",
    "σ": r"$\sigma$", "τ": r"$\tau$", "φ": r"$\varphi$", "χ": r"$\chi$", "ψ": r"$\psi$", "ω": r"$\omega$",
    "Δ": r"$\Delta$", "Λ": r"$\Lambda$", "Φ": r"$\Phi$", "Σ": r"$\Sigma$", "Ω": r"$\Omega$", "₁": "$_1$",
    "₀": "$_0$", "₂": "$_2$", "°": r"$^\circ$", "½": r"$\frac12$",
    "ϱ": r"$\varrho$", "ζ": r"$\zeta$", "ξ": r"$\xi$", "Γ": r"$\Gamma$", "Π": r"$\Pi$", "Ψ": r"$\Psi$",
    "′": "$'$", "∫": r"$\int$", "∑": r"$\sum$", "∏": r"$\prod$", "∈": r"$\in$", "∩": r"$\cap$", "∪": r"$\cup$",
    "¹": "$^1$", "⁴": "$^4$", "⁵": "$^5$", "⁻": "$^-$", "₃": "$_3$", "₄": "$_4$",
    "ℓ": r"$\ell$", "←": r"$\leftarrow$", "\u00a0": "~", "\u2009": r"\,",
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(_SIGNS)) + "]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e]")


def escape_latex(text: str) -> str:
    """Text that prints as it is: no sign of it is read as a command, and it stays on one line."""
    return _SPECIAL.sub(lambda found: _SIGNS[found.group()], _UNSEEN.sub("", " ".join(text.split())))


def result_latex(result: Mapping[str, Any], ident: str = "", stamp: str = "") -> str:
    """A result dict as a LaTeX fragment: a paragraph heading, tables, cautions and the stamp.

    Parameters
    ----------
    result : what a tool returned.
    ident : its id in the ledger.
    stamp : the provenance in one line, printed below.
    """
    summary = summarise(result, ident, full=True)
    title = escape_latex(summary.title)
    lines = [f"\\paragraph{{{escape_latex(ident)}: {title}}}" if ident else f"\\paragraph{{{title}}}"]
    if summary.leading:
        rows = [(label, value) for label, value, _ in summary.leading]
        lines += _table(("quantity", "value"), rows, summary.title, widths="ll")
    for block in summary.blocks:
        lines += _table(block.columns, block.rows, block.title)
        if block.left_out:
            lines.append(f"\\noindent and {block.left_out} more rows\n")
    lines += [f"\\noindent\\textbf{{{escape_latex(caution)}}}\n" for caution in summary.cautions]
    lines += [f"\\noindent{{\\small {escape_latex(note)}}}\n" for note in summary.conventions]
    if stamp:
        lines.append(f"\\noindent{{\\footnotesize {escape_latex(stamp)}}}\n")
    return "\n".join(lines).rstrip() + "\n"


def _table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str, widths: str = ""
) -> list[str]:
    """One table; names of rows to the left, numbers to the right."""
    inside = [
        "    " + " & ".join(escape_latex(cell) for cell in cells) + r" \\" for cells in (columns, *rows)
    ]
    return [
        "\\begin{table}[htbp]",
        "  \\centering",
        f"  \\caption{{{escape_latex(caption)}}}",
        f"  \\begin{{tabular}}{{{widths or 'l' + 'r' * (len(columns) - 1)}}}",
        "    \\toprule",
        inside[0],
        "    \\midrule",
        *inside[1:],
        "    \\bottomrule",
        "  \\end{tabular}",
        "\\end{table}",
        "",
    ]
