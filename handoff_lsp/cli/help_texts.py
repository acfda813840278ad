"""The texts of `--help` for the program and each of its commands."""

from __future__ import annotations

ABOUT = """\
Checks the handoffs that AI agents write for one another: what is missing or wrong in them, and what the
orchestrator will make of it. Ordinary Markdown is left alone.

examples:
  handoff-lsp check                       all handoffs below this folder
  handoff-lsp check handoffs/ NOTES.md    a folder and a file
  handoff-lsp check --output-format json  the same for programs
  handoff-lsp parse dev-handoff.md        what a handoff says, and what the orchestrator does with it
  handoff-lsp new status-block            a new handoff to fill in
  handoff-lsp explain missing-status      what a rule, a contract or a field is about
  handoff-lsp contract new nightly-report a contract of your own, to begin with
  handoff-lsp contract test               runs the cases of your own contracts
  handoff-lsp hook claude-code            answers the hooks of an agent
  handoff-lsp doctor dev-handoff.md       what is installed, which config counts, why a file is a handoff or not
  handoff-lsp server                      the language server, for an editor or an agent to start
"""

MORE = """\
exit codes:
  0  nothing found at or above the threshold
  1  findings
  2  the work could not be done: wrong arguments, a broken config, a named file that cannot be read

config:
  .handoff-lsp.toml, or the table [tool.handoff-lsp] of pyproject.toml. It is looked for from each file's folder
  upward; the nearest folder that has one decides.
"""

CHECK_ABOUT = """\
Checks files, and the Markdown files (.md, .markdown) in folders. A file that is named is always checked, whatever
its name and whatever the config excludes. `-` is standard input.
"""

CHECK_MORE = """\
examples:
  handoff-lsp check                                       all handoffs below this folder
  handoff-lsp check board/backend-dev-handoff.md          one file
  handoff-lsp check --fail-on warning handoffs/           warnings fail, too
  handoff-lsp check - --stdin-filename a-handoff.md < x   a text that is not in a file, checked as if it were

exit codes:
  0  nothing found at or above the threshold (--fail-on)
  1  findings
  2  some of what was named could not be checked; the rest was, and the reason is on standard error

folders:
  Passed over are node_modules, venv, site-packages, __pycache__, dist, build, hidden folders of version control,
  environments, package managers, builds, caches and editors (.git, .venv, .npm, .next, .ruff_cache, .vscode …),
  symbolic links, and what the config's `exclude` names. Other hidden folders are entered: agents work in them.
  In a repository of git, what it ignores (.gitignore, .git/info/exclude) is passed over, too; files that it tracks
  are looked at wherever they are, but not in node_modules, venv and the like. What you name is always checked.
  Files that are no text in UTF-8, are too large or may not be read are skipped, and counted in the summary. It is an
  error where the file is named: here, by a `contract` of the config, or by a contract itself (.agent/status.json).

config:
  .handoff-lsp.toml, or the table [tool.handoff-lsp] of pyproject.toml, looked for from each file's folder upward:

    examples = true                    # also check the examples in documents about a format
    exclude = ["vendor/**"]
    disable = ["status-block"]         # contracts that are not looked for
    contract-files = ["contracts/*.yaml"]

    [contracts.agent-contract]
    profile = "gaia-5.0"

    [rules]                            # error, warning, information, hint or off
    count-mismatch = "information"

    [[files]]
    pattern = "docs/turns/*.md"
    mode = "template"                  # or a `contract`, or its own `rules`
"""

PARSE_ABOUT = """\
Tells what handoffs say, the same way for every format: contract, profile, status, fields, what the orchestrator does
with it and reads for it, and the findings. A file that is named is always looked at. `-` is standard input.
"""

PARSE_MORE = """\
examples:
  handoff-lsp parse board/dev-handoff.md                      for people
  handoff-lsp parse --output-format json board/               for programs, all handoffs below a folder
  handoff-lsp parse dev-handoff.md && ./next-phase            only go on where there is something to go on with
  agent | handoff-lsp parse - --output-format json            what an agent has just answered

json:
  One object for each handoff, each on a line of its own:

    path, contract, profile, mode     where it is and what it was taken for
    range                             {"start": {"line", "column"}, "end": {…}}, from 1
    status                            as the contract spells it; null where it is absent or none of its values
    readable                          whether the contract's reader gets anything out of it. If not, `fields` are what
                                      can be made out in spite of that
    fields                            values by name, nested. Left out: what is absent. null: what is there, but is not
                                      filled in, or is none of the values, or is of another type or form
    routing                           {"action": "advance|continue|retry|ask|stop", "reason", "reads": [titles],
                                      "doubts": [{"rule", "message", "range"}]}; null for templates, examples and
                                      formats without a status. Without a status that can be read, and over an error,
                                      it neither advances nor continues. `doubts`: the findings over which it does not
    findings                          as `check --output-format json` has them

exit codes:
  0  every handoff has a status that can be read if its format has one, no error and no doubt, and every file that was
     named holds one
  1  something cannot be acted on
  2  some of what was named could not be looked at; the reason is on standard error
"""

NEW_ABOUT = """\
Writes a new handoff of a contract, with what is to be filled in between angle brackets, to standard output or to a
file. What is left unfilled is told by `check`.
"""

NEW_MORE = """\
examples:
  handoff-lsp new status-block --profile reviewer -o board/backend-reviewer-handoff.md
  handoff-lsp new agent-contract                       a JSON block in its fence
  handoff-lsp new status-block --mode template         a template, for handoffs to be made from

`handoff-lsp explain --list` names the contracts, `handoff-lsp explain CONTRACT` tells the profiles of one.

exit codes:
  0  it was written
  2  it was not: wrong arguments, or the file is there already (--force)
"""

EXPLAIN_ABOUT = """\
Tells about a rule, a contract, one of its profiles, or a field.
"""

EXPLAIN_MORE = """\
examples:
  handoff-lsp explain count-mismatch
  handoff-lsp explain status-block
  handoff-lsp explain status-block.abstract.verdict
  handoff-lsp explain status-block@reviewer.abstract.verdict    as one of the profiles has it
  handoff-lsp explain status-block.status=blocked               what a value means, and what is done on it
  handoff-lsp explain --list                                    all rules and contracts

exit codes:
  0  told
  2  there is nothing of that name
"""

CONTRACT_ABOUT = """\
Works on contracts of your own: the YAML files that the config names in `contract-files`.
"""

CONTRACT_MORE = """\
examples:
  handoff-lsp contract learn stories/*.md         writes a contract that recognises these documents
  handoff-lsp contract new nightly-report         writes a small contract with its cases
  handoff-lsp contract lint                       what is wrong with the contracts of the config
  handoff-lsp contract test                       runs the cases beside the contracts of the config
  handoff-lsp contract schema                     prints the JSON Schema of contracts, for editors
  handoff-lsp contract migrate                    rewrites contracts of an earlier language

Each action has a help of its own: `handoff-lsp contract test --help`.
"""

CONTRACT_LEARN_ABOUT = """\
Writes a contract that recognises the samples and finds nothing in them: its form, its fields with their types, what is
required, and how few signs are enough. It is tried on the samples before it is written. What samples cannot tell is
marked `decide:` in its comments.
"""

CONTRACT_LEARN_MORE = """\
examples:
  handoff-lsp contract learn docs/stories/*.md -o contracts/story.yaml
  handoff-lsp contract learn docs/stories --negative README.md docs/guides -o contracts/story.yaml
  handoff-lsp contract learn tasks/*.json --from task.schema.json -o contracts/task.yaml
  handoff-lsp contract learn replies/*.md --form fence       where the samples can be read in several ways

Three samples give a start, eight a good contract. Use real ones: templates tell which values there are, but not what
is optional. The contract counts once `contract-files` of the config names it.

exit codes:
  0  the contract recognises all samples and none of the other documents, and finds nothing
  1  it was written, but does not do all of that; the summary tells where
  2  nothing was written: the samples have too little in common, or an argument is wrong
"""

CONTRACT_NEW_ABOUT = """\
Writes a small contract that works, and its cases beside it: a status, a summary, a condition, a check and the routes.
Change it into your format, and run `handoff-lsp contract test` while you do.
"""

CONTRACT_NEW_MORE = """\
examples:
  handoff-lsp contract new nightly-report                         contracts/nightly-report.yaml
  handoff-lsp contract new nightly-report --form fence            its handoffs are JSON in a fence
  handoff-lsp contract new nightly-report -o formats/nightly.yaml

forms:
  document   a whole Markdown document, with a section for each field
  section    a section of a document, with a label for each field
  run        lines of `KEY: value`, in a text or a fence
  fence      JSON in a fence
  file       a whole JSON file

exit codes:
  0  it was written
  2  it was not: wrong arguments, or a file is there already (--force)
"""

CONTRACT_LINT_ABOUT = """\
Checks contracts: all that keeps one from being used, each problem at its token; then all files below this folder:
how many match a contract, and which of them another contract claims, too.
"""

CONTRACT_LINT_MORE = """\
examples:
  handoff-lsp contract lint                           all contracts of the config
  handoff-lsp contract lint contracts/story.yaml      one contract, in the config or not
  handoff-lsp contract lint --fail-on warning         for CI: a contract that matches no file fails, too
  handoff-lsp contract lint --ignore no-match         a library of contracts, whose documents are elsewhere

warnings:
  no-match     no file below this folder is recognised as a handoff of the contract
  two-claims   two contracts claim the same handoff: which, and which one gets it. Where both check it, `disable` or
               `[[files]]` in the config, or more signs in the contract, settle it

json:
  One array, with the keys that `check --output-format json` has.

exit codes:
  0  no problem at or above the threshold (--fail-on)
  1  problems
  2  some of what was named could not be read
"""

CONTRACT_TEST_ABOUT = """\
Runs the cases of contracts: documents with the expected findings beside their lines. The cases of `story.yaml` are in
`story.cases.md` beside it.
"""

CONTRACT_TEST_MORE = """\
examples:
  handoff-lsp contract test                                all contracts of the config
  handoff-lsp contract test contracts/story.yaml           one contract
  handoff-lsp contract test contracts/ --update            writes what is found into the case files; read the changes
  handoff-lsp contract test status-block --cases DIR       a built-in contract, with cases of your own

case files:
  A case is a heading `## …` with a document below it, in a fence of tildes. Carets below a line are below the
  characters that a finding covers; behind them are the rule and, if they matter, its severity and words of its message:

    ## A red report must count its failures
    ~~~~document reports/nightly.md
    ## Nightly report
    - Result: red
    - Failures: 0
                ^ contradiction error "but Failures is 0"
    ~~~~
    routes stop

  All findings must be expected, and all expected ones found: a document without carets has no finding.
  `+ RULE` in place of the carets is a finding without a width at that column.
  `routes ACTION "words"` below the document is the decision on it, and words of the reason; one line for each handoff.
  Behind `~~~~document`: the path of the document, if it matters, and options: `profile=NAME`, `examples`,
  `rule:CODE=SEVERITY`, `contract=NAME` for the profile of another contract; other `key=value` are settings of the
  contract. `~~~~beside PATH` is another file of the workspace, `~~~~fixed RULE` the document once a finding is fixed.

coverage:
  A list of the checks, the conditions (required, filled, forbidden) and the routes that no passing case shows at work.
  "Fires": it causes a finding, or the decision that a line `routes` states. A "near miss" is judged and causes nothing:
  the check holds, the condition does not though the field is absent (forbidden: is filled), a later route is taken.

exit codes:
  0  all cases pass
  1  a case fails
  2  some of what was named could not be tested: a contract with errors, a case that cannot be read, no cases at all
"""

CONTRACT_SCHEMA_ABOUT = """\
Prints the JSON Schema of contract files, which gives completion and hover in editors with a YAML language server.
"""

CONTRACT_SCHEMA_MORE = """\
examples:
  handoff-lsp contract schema > contracts/contract.schema.json
  handoff-lsp contract schema --path              where it is installed, for the settings of an editor

A contract names it in its first line, by a path from its own folder:

  # yaml-language-server: $schema=contract.schema.json

exit codes:
  0  always
"""

CONTRACT_MIGRATE_ABOUT = """\
Rewrites contracts of an earlier version of the contract language, each in its file: only the keys that are no longer
read change; comments, order and layout stay. What it cannot rewrite it lists. A second run changes nothing.
"""

CONTRACT_MIGRATE_MORE = """\
examples:
  handoff-lsp contract migrate                         all contracts of the config
  handoff-lsp contract migrate contracts/story.yaml    one contract
  handoff-lsp contract migrate --diff                  prints what would change
  handoff-lsp contract migrate --check                 for CI: fails if a contract is of an earlier language

exit codes:
  0  all contracts are in the language of today
  1  something is left to change by hand, or with --check or --diff a file would change
  2  a file cannot be read or written, or is no YAML; or the arguments are wrong
"""

HOOK_ABOUT = """\
Answers the hooks of agents: reads what an agent hands to its hooks on standard input, and tells it on standard output,
in its own format, what is wrong with a handoff that it has just written or is about to end with, and how to correct it.
Nothing is said where nothing is wrong.
"""

HOOK_MORE = """\
examples:
  handoff-lsp hook claude-code                           what stands in the settings of Claude Code
  handoff-lsp hook cursor --print-config > .cursor/hooks.json
  handoff-lsp hook gemini --fail-on warning              warnings have to be corrected, too

limits:
  The same is said twice at most. An agent is kept from ending four times in a row at most. Then the person in front of
  it is told, and it goes on.

exit codes:
  0  always, also where the input cannot be read: the agent goes on
  1  wrong arguments
"""

DOCTOR_ABOUT = """\
Tells what is installed and what is wrong with it, which config applies to a file and why, and what the file was
recognised as and by which signs; where it is none, why, and what it nearly is. An editor's command `handoff.doctor`
adds what was agreed on with the editor. The report is made to be copied into a question: of a document it quotes no
more than headings.
"""

DOCTOR_MORE = """\
examples:
  handoff-lsp doctor                                   what is installed, and the config of this folder
  handoff-lsp doctor board/backend-dev-handoff.md      why a file is, or is not, a handoff
  handoff-lsp doctor --output-format json NOTES.md     the same for programs
  handoff-lsp doctor - --stdin-filename NOTES.md < x   a text that is not in a file, examined as if it were

json:
  One object with `problems`, `server`, `folders` and `files`. `relevant` of a file is what an editor asks that starts
  the server for handoffs only: true where it is a handoff or nearly one, or the config, its path or a comment names it.

exit codes:
  0  nothing is wrong
  1  problems were found: they stand first
  2  a file cannot be read, or this Python is too old
"""

SERVER_ABOUT = """\
Runs the language server. Editors and agents start it themselves and speak with it over standard input and output.
"""
