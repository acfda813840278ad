"""The arguments of the tools: their JSON Schema, and what is wrong with those of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from handoff_lsp.contracts.names import did_you_mean
from handoff_lsp.contracts.problems import unknown
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.writing.schemas.parts import Schema

# The most characters of a wrong argument's name in a message.
_LONGEST = 80
ShortName = Annotated[str, Field(max_length=200)]


class ToolArguments(BaseModel):
    """The arguments of a tool. Null and empty strings count as absent: some models send all.

    Without a path, an empty text is a text: the final message of an agent that returned nothing.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


ArgumentsOf = TypeVar("ArgumentsOf", bound=ToolArguments)


class DocumentArguments(ToolArguments):
    """A text, a file, or a text that will be in a file."""

    text: str | None = Field(None, description="The text to read, such as a final message before it is returned.")
    path: str | None = Field(
        None, description="A file of the workspace. With `text`: where that text is, or will be; it is not read."
    )


class CheckArguments(DocumentArguments):
    """Arguments of `check`."""

    contract: ShortName | None = Field(
        None, description="The contract that the text must follow. Default: by its content."
    )
    profile: ShortName | None = Field(None, description="A profile of the contract. Default: by its content.")
    agent: ShortName | None = Field(
        None,
        description="The agent whose final message `text` is, such as sdd-apply. The message is also checked for what"
        " this agent owes.",
    )


class OwedArguments(ToolArguments):
    """Arguments of `owed`."""

    agent: ShortName = Field(description="The agent's name, as its definition has it, such as sdd-apply.")


class NewArguments(ToolArguments):
    """Arguments of `new`."""

    contract: ShortName = Field(description="The name of a contract; `explain` without a name lists all.")
    profile: ShortName | None = Field(
        None, description="A profile of the contract. Default: the contract's own default."
    )
    form: Literal["skeleton", "example", "prompt"] = Field(
        "skeleton",
        description="skeleton: the handoff with placeholders in <…>; example: a filled one; prompt: instructions.",
    )


class ExplainArguments(ToolArguments):
    """Arguments of `explain`."""

    name: ShortName | None = Field(
        None,
        description="A rule such as missing-status, CONTRACT, CONTRACT@PROFILE, CONTRACT.FIELD or CONTRACT.FIELD=VALUE."
        " Without it: the list of all contracts and rules.",
    )


def schema_of_arguments(kind: type[ToolArguments]) -> Schema:
    """The JSON Schema of a tool's arguments: plain types, since some clients know neither unions nor null."""
    made = kind.model_json_schema()
    properties = {name: _plain(value) for name, value in made["properties"].items()}
    required = {"required": made["required"]} if "required" in made else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _plain(value: Schema) -> Schema:
    """The schema of one argument without null, which is accepted all the same."""
    kinds = [kind for kind in value.get("anyOf", ()) if kind != {"type": "null"}]
    merged = {**value, **(kinds[0] if kinds else {})}
    return {key: part for key, part in merged.items() if key not in {"anyOf", "title"} and part is not None}


def arguments_of(kind: type[ArgumentsOf], given: Mapping[str, Any]) -> ArgumentsOf:
    """The arguments of a call. Raises ToolError with everything that is wrong with them."""
    kept = () if given.get("path") else ("text",)
    given = {name: value for name, value in given.items() if value is not None and (value != "" or name in kept)}
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        problems = [_problem(each, kind) for each in error.errors(include_url=False, include_context=False)]
        raise ToolError("; ".join(dict.fromkeys(problems))) from None


def _problem(error: ErrorDetails, kind: type[ToolArguments]) -> str:
    name = str(error["loc"][0])[:_LONGEST] if error["loc"] else ""
    known = list(kind.model_fields)
    match error["type"]:
        case "extra_forbidden":
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            return f"unknown argument `{name}`{hint}"
        case "missing":
            return f"the argument `{name}` is missing"
        case "string_type" | "string_unicode":
            return f"the argument `{name}` must be a string"
        case "literal_error":
            return unknown(name, str(error["input"])[:_LONGEST], get_args(kind.model_fields[name].annotation))
    return f"the argument `{name}`: {error['msg']}"
