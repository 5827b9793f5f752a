"""The language side: planner, model back ends and the audited session."""
