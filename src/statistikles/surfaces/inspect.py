"""`statistikles inspect FILE`: what the columns of a table hold."""
