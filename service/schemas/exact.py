"""Whole numbers that a double cannot hold."""

from marshmallow import fields

from service.schemas.replies import Reply


class Exact(Reply):
    """Numbers that a double cannot hold are also given as text."""

    exact = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={
            "description": "The members of this object above 2^53 - 1, in decimal digits; left out"
            " where there are none."
        },
    )
