"""Pictures of results: a specification as data in which every number carries its address, and renderers that only draw."""

from statistikles.output.pictures.choice import picture_of, pictures_of, pictures_of_turn
from statistikles.output.pictures.spec import Picture

__all__ = ["Picture", "picture_of", "pictures_of", "pictures_of_turn"]
