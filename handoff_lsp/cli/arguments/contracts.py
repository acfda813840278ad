"""The arguments of the commands about contracts and configs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from handoff_lsp.cli import help_texts
from handoff_lsp.cli.arguments.parser import Parser, add_config, add_output_format, add_settings
from handoff_lsp.cli.arguments.values import one_of

# The forms of a contract that `contract new` writes.
_FORMS = ("document", "section", "run", "fence", "file")


def add_schemas(commands: Any) -> None:
    """Add `schema` and `export`."""
    schema = commands.add_parser(
        "schema", help="print a JSON Schema", description=help_texts.SCHEMA_ABOUT, epilog=help_texts.SCHEMA_MORE
    )
    schema.add_argument("name", metavar="NAME", help="CONTRACT[@PROFILE], or config, contract, check, parse or graph")
    schema.add_argument(
        "--of",
        type=one_of("handoff", "fields"),
        metavar="handoff|fields",
        help="a handoff as written, or its fields as parsed (default: fields)",
    )
    schema.add_argument(
        "--for",
        dest="maker",
        type=one_of("draft-2020-12", "openai", "anthropic"),
        metavar="draft-2020-12|openai|anthropic",
        help="dialect of JSON Schema (default: draft-2020-12)",
    )
    schema.add_argument("--path", action="store_true", help="print the path of the file instead (not of a contract)")
    add_config(schema)

    export = commands.add_parser(
        "export",
        help="write a contract as a prompt, a template, an example or a page",
        description=help_texts.EXPORT_ABOUT,
        epilog=help_texts.EXPORT_MORE,
    )
    export.add_argument(
        "contract", metavar="CONTRACT[@PROFILE]", help="the contract, with a profile if not the default"
    )
    export.add_argument(
        "--as",
        dest="form",
        required=True,
        type=one_of("prompt", "template", "example", "docs"),
        metavar="prompt|template|example|docs",
        help="form of the output",
    )
    add_config(export)


def add_config_commands(commands: Any) -> dict[str, Parser]:
    """Add `init` and of `config` with its own commands, which are returned by their names on the command line."""
    init = commands.add_parser(
        "init",
        help="write a config from what a folder contains",
        description=help_texts.INIT_ABOUT,
        epilog=help_texts.INIT_MORE,
    )
    init.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="folder (default: this folder)")
    init.add_argument("--force", action="store_true", help="overwrite an existing config")
    config = commands.add_parser(
        "config",
        help="show the config of a file",
        description=help_texts.CONFIG_ABOUT,
        epilog=help_texts.CONFIG_MORE,
    )
    actions = config.add_subparsers(dest="action", metavar="ACTION", title="actions")
    show = actions.add_parser(
        "show",
        help="show the settings of a file, and where each comes from",
        description=help_texts.CONFIG_SHOW_ABOUT,
        epilog=help_texts.CONFIG_SHOW_MORE,
    )
    show.add_argument("paths", nargs="?", action=_AsList, default=[], metavar="FILE", help="(default: this folder)")
    add_output_format(show, "text", "json")
    add_config(show, "for all files")
    show.add_argument("--examples", action="store_true", help="as of `check`")
    add_settings(show)
    return {"init": init, "config": config, "config show": show}


class _AsList(argparse.Action):
    """Keeps one value as a list of it, for functions that take the paths of a command."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        setattr(namespace, self.dest, [values] if values is not None and values != [] else [])


def add_contract(commands: Any) -> dict[str, Parser]:
    """Add `contract` with its own commands, which are returned by their names on the command line."""
    contract = commands.add_parser(
        "contract",
        help="learn, write, check and test contracts of your own",
        description=help_texts.CONTRACT_ABOUT,
        epilog=help_texts.CONTRACT_MORE,
    )
    actions = contract.add_subparsers(dest="action", metavar="ACTION", title="actions")

    new = actions.add_parser(
        "new",
        help="write a small contract with its cases",
        description=help_texts.CONTRACT_NEW_ABOUT,
        epilog=help_texts.CONTRACT_NEW_MORE,
    )
    new.add_argument("name", metavar="NAME", help="name, such as nightly-report")
    new.add_argument(
        "--form",
        type=one_of(*_FORMS),
        default="document",
        metavar="|".join(_FORMS),
        help="form of a handoff (default: document)",
    )
    new.add_argument("-o", "--output", metavar="FILE", help="output file (default: contracts/NAME.yaml)")
    new.add_argument("--force", action="store_true", help="overwrite existing files")
    add_config(new)

    lint = actions.add_parser(
        "lint",
        help="check contracts, and which files they match",
        description=help_texts.CONTRACT_LINT_ABOUT,
        epilog=help_texts.CONTRACT_LINT_MORE,
    )
    lint.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="contracts and folders of them, or names of contracts (default: those of the config)",
    )
    add_output_format(lint, "text", "json")
    lint.add_argument(
        "--fail-on",
        type=one_of("error", "warning"),
        default="error",
        metavar="error|warning",
        help="lowest severity that fails (default: error)",
    )
    lint.add_argument(
        "--ignore",
        action="append",
        default=[],
        type=one_of("no-match", "two-claims"),
        metavar="WARNING",
        help="ignore a warning: no-match or two-claims; may be repeated",
    )
    add_config(lint)

    test = actions.add_parser(
        "test",
        help="run the cases of contracts",
        description=help_texts.CONTRACT_TEST_ABOUT,
        epilog=help_texts.CONTRACT_TEST_MORE,
    )
    test.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="contracts, case files and folders of both, or names of contracts (default: those of the config)",
    )
    test.add_argument(
        "--cases",
        action="append",
        metavar="PATH",
        help="a case file, or a folder of them, instead of those beside the contracts",
    )
    test.add_argument("--update", action="store_true", help="update the case files with the results")
    test.add_argument("-q", "--quiet", action="store_true", help="print failures only: no coverage, no summary")
    add_config(test)

    migrate = actions.add_parser(
        "migrate",
        help="rewrite contracts of an earlier language",
        description=help_texts.CONTRACT_MIGRATE_ABOUT,
        epilog=help_texts.CONTRACT_MIGRATE_MORE,
    )
    migrate.add_argument(
        "paths", nargs="*", metavar="FILE", help="contracts and folders of them (default: those of the config)"
    )
    migrate.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file would change")
    migrate.add_argument("--diff", action="store_true", help="print the changes instead of writing them")
    add_config(migrate)
    known = {
        "learn": _learn(actions),
        "new": new,
        "lint": lint,
        "test": test,
        "migrate": migrate,
    }
    return {"contract": contract, **{f"contract {name}": parser for name, parser in known.items()}}


def _learn(actions: Any) -> Parser:
    """The parser of `contract learn`."""
    learn: Parser = actions.add_parser(
        "learn",
        help="write a contract that recognizes samples",
        description=help_texts.CONTRACT_LEARN_ABOUT,
        epilog=help_texts.CONTRACT_LEARN_MORE,
    )
    learn.add_argument("samples", nargs="*", metavar="SAMPLE", help="documents of the format, and folders of them")
    learn.add_argument(
        "--negative", nargs="+", metavar="FILE", help="documents and folders that the contract must not recognize"
    )
    learn.add_argument("--from", dest="schema", type=Path, metavar="FILE", help="a JSON Schema of the fields")
    learn.add_argument("--name", metavar="NAME", help="the contract's name (default: that of its file)")
    learn.add_argument(
        "--form",
        type=one_of("document", "section", "run", "fence", "file"),
        metavar="FORM",
        help="form to use if several fit the samples: document, section, run, fence or file",
    )
    learn.add_argument("-o", "--output", metavar="FILE", help="output file (default: standard output)")
    learn.add_argument("--force", action="store_true", help="overwrite an existing file")
    return learn
