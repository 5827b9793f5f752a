"""Pictures as a self-contained HTML page: inline SVG, description, notes, and the numbers as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from statistikles.output.pictures.lettering import printable
from statistikles.output.pictures.spec import Picture, TableOfNumbers

__all__ = ["figure_html", "page_html"]

_STYLE = """\
body{font-family:system-ui,"DejaVu Sans",Verdana,sans-serif;color:#111;background:#fff}
main{margin:2rem auto;max-width:52rem;padding:0 1rem}
figure.statistikles{margin:0 0 2.5rem 0}figure.statistikles svg{max-width:100%;height:auto}
figure.statistikles figcaption{font-size:.9rem;color:#333}
figure.statistikles table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0}
figure.statistikles th,figure.statistikles td{padding:.15rem .8rem .15rem 0;text-align:right;border-bottom:1px solid #ddd}
figure.statistikles th:first-child,figure.statistikles td:first-child{text-align:left}
"""
_ID = re.compile(r'(\bid="|url\(#|href="#)')


def page_html(pictures: Sequence[Picture], *, title: str = "") -> str:
    """A whole page; nothing in it is fetched from elsewhere.

    Parameters
    ----------
    pictures : in the order in which they are shown.
    title : of the page; that of the first picture when not given.
    """
    name = escape(printable(title or (str(pictures[0].title) if pictures else "Pictures")))
    figures = "\n".join(figure_html(picture, ident=f"p{i}") for i, picture in enumerate(pictures, start=1))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<main>\n{figures}\n</main>\n</body>\n</html>\n"
    )


def figure_html(picture: Picture, *, ident: str = "p1") -> str:
    """One picture as a figure, to be put into a page.

    Parameters
    ----------
    picture : what to show.
    ident : what sets the ids of its parts apart from those of other pictures on the page.
    """
    svg = picture.svg()
    svg = _ID.sub(rf"\g<1>{ident}-", svg[svg.index("<svg") :])
    entries = escape(picture.provenance.line())
    caption = escape(printable(str(picture.description)))
    return (
        f'<figure class="statistikles" id="{ident}" data-kind="{escape(picture.kind)}">\n{svg}'
        f"<figcaption>{caption} <small>{entries}</small></figcaption>\n{_numbers(picture.table)}</figure>"
    )


def _numbers(table: TableOfNumbers | None) -> str:
    if table is None:
        return ""
    head = "".join(f'<th scope="col">{escape(printable(str(c)))}</th>' for c in table.columns)
    rows = "\n".join(
        "<tr>"
        + "".join(f'<td title="{_sources(cell)}">{escape(printable(str(cell)))}</td>' for cell in row)
        + "</tr>"
        for row in table.rows
    )
    return (
        "<details><summary>The numbers of this picture</summary>\n"
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></details>\n"
    )


def _sources(cell: object) -> str:
    shown = getattr(cell, "numbers", ())
    return escape(printable(", ".join(s.source for s in shown)), quote=True)
