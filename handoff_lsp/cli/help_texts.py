"""The texts of `--help` for the program and each of its commands."""

from __future__ import annotations

ABOUT = """\
Checks the handoffs that AI agents write for each other, and shows what the orchestrator does with them. Ordinary
Markdown files are ignored.

examples:
  handoff-lsp check                       all handoffs below this folder
  handoff-lsp check handoffs/ NOTES.md    a folder and a file
  handoff-lsp check --output-format json  the same as JSON
  handoff-lsp check --fix                 write the safe fixes
  handoff-lsp baseline                    from now on report new findings only
  handoff-lsp sync                        update the copies of contracts in prompts
  handoff-lsp parse dev-handoff.md        the parsed fields and the orchestrator's decision
  handoff-lsp new status-block            a new handoff to fill in
  handoff-lsp explain missing-status      documentation of a rule, a contract or a field
  handoff-lsp schema status-block         the JSON Schema of the parsed fields
  handoff-lsp contract new nightly-report a small contract for your own format
  handoff-lsp contract test               run the cases of your own contracts
  handoff-lsp hook claude-code            answer the hooks of an agent
  handoff-lsp doctor dev-handoff.md       the installation, the config of a file, and why it is a handoff or not
  handoff-lsp init                        write a config from what this folder contains
  handoff-lsp monitor                     the agents of all work trees of a repository
  handoff-lsp report -o report.html       a page about all handoffs, for people
  handoff-lsp graph                       what prompts emit and handle, and where they disagree
  handoff-lsp mcp                         the MCP server: tools of an agent: check, parse, new, explain, owed
  handoff-lsp server                      the language server, started by editors and agents
"""

MORE = """\
exit codes:
  0  nothing found at or above the threshold
  1  findings
  2  wrong arguments, an invalid config, or an unreadable file

config:
  .handoff-lsp.toml, or the table [tool.handoff-lsp] of pyproject.toml. The nearest one above a file applies.
"""

CHECK_ABOUT = """\
Checks files, and in folders the Markdown files (.md, .markdown) and the data files that a contract names, such as
.agent/status.json. Named files are checked even if the config excludes them. `-` is standard input.
"""

CHECK_MORE = """\
examples:
  handoff-lsp check                                       all handoffs below this folder
  handoff-lsp check board/backend-dev-handoff.md          one file
  handoff-lsp check --fix                                 write safe fixes, report what is left
  handoff-lsp check --diff --unsafe-fixes                 show all fixes, write nothing
  handoff-lsp check --fail-on warning handoffs/           fail on warnings, too
  handoff-lsp check --select values,count-mismatch        only findings of these rules
  handoff-lsp check --changed main                        only files that changed since the branch left main
  handoff-lsp check --drift                               where prompts disagree with contracts and each other
  handoff-lsp check --statistics                          the number of findings of each rule
  handoff-lsp check - --stdin-filename a-handoff.md < x   standard input, checked as that file
  handoff-lsp check --output-format github -o sarif:findings.sarif   annotations, and a file for code scanning

formats (--output-format FORMAT for standard output, -o FORMAT:FILE for files):
  text     each finding with its line and its fix
  concise  each finding on one line
  grouped  each finding on one line, below its file
  json     one object with files, handoffs, failures, a summary and all findings
  jsonl    the same as JSON Lines: an object for each file, finding and failure
  sarif    SARIF 2.1.0, for code scanning
  github   annotations of GitHub Actions, and a table of handoffs in the job's summary
  gitlab   a Code Quality report of GitLab
  junit    JUnit's XML, for lists of tests
  rdjson   the Reviewdog Diagnostic Format, with suggestions
  azure    logging commands of Azure Pipelines
  pylint   lines as pylint prints them, for Jenkins and others
  agent    for AI agents: a verdict on each file, and the text to write

agents:
  Without --output-format and -o, the format is agent if a variable says that an AI agent runs the command: AI_AGENT,
  AUGMENT_AGENT, CLAUDECODE, CLAUDE_CODE, CODEX_SANDBOX, CODEX_THREAD_ID, COPILOT_CLI, CURSOR_AGENT, GEMINI_CLI,
  GOOSE_TERMINAL, JUNIE_DATA, JUNIE_SHIM_PATH, OPENCODE, QWEN_CODE, or REPL_ID without a terminal. The last line of the
  output says so. HANDOFF_LSP_OUTPUT_FORMAT=text, or any other format, goes before these variables.

fixes:
  A safe fix does not change what a document states; an unsafe one chooses for the author. Of several equal choices none
  is written. `--fix` writes a whole file or nothing, and no file that has changed since it was read, is read-only, or
  has several names (hard links). With `-` the fixed text goes to standard output, and the findings to standard error.

baseline:
  A run over all its files, without options that select files or rules, removes the findings that are gone from the
  baseline, unless CI is set.

exit codes:
  0    nothing found at or above the threshold (--fail-on)
  1    findings; with --diff: there are fixes
  2    some files could not be checked or fixed (see stderr), or an output could not be written
  130  interrupted by Ctrl-C

rules:
  RULE is a rule, CONTRACT/CHECK or, for --select and --ignore, a group of rules: consistency, values, structure,
  missing-content, across-files, templates, prompts, internal. The most specific name decides. --select and --ignore
  choose what is shown, counted and fixed, and change no decision; --severity counts as `rules` of the config do, and
  before them.

drift:
  --drift reports only findings about prompts (the group prompts), then a table of each field that has a status or a
  finding: which prompts emit each value, which handle it, how many only name it, and how many of the checked handoffs
  have it. All prompts of the workspace are compared, whichever files are named. The formats text, concise and grouped
  have the tables, json has `packs`, jsonl an object of the type `pack`; the others have the findings. The whole is the
  output of `handoff-lsp graph`.

git:
  --changed and --staged check only the files that git lists, not those that refer to them. --staged checks the text in
  git's index. Write paths before --changed: `handoff-lsp check docs --changed`.

folders:
  Ignored: node_modules, venv, site-packages, __pycache__, dist, build, hidden folders of version control,
  environments, package managers, builds, caches and editors (.git, .venv, .npm, .next, .ruff_cache, .vscode …),
  symbolic links, and `exclude` of the config. Other hidden folders are searched, as agents work in them.
  In a git repository, files that git ignores (.gitignore, .git/info/exclude) are ignored, too, unless git tracks them.
  Named files and folders are always checked, unless --force-exclude is given.
  Files that are not UTF-8, too large or unreadable are skipped and counted in the summary. It is an error if such a
  file is named: as an argument, by a `contract` of the config, or by a contract itself (.agent/status.json).

cache:
  Checks of 10 files or more keep their results for the next run, in $HANDOFF_LSP_CACHE_DIR or the user's cache folder,
  never in the repository. A file is checked again after any change that its result depends on: in the file, in the
  files around it, in the config or its contracts, in what is installed. The cache can be deleted at any time.

config:
  .handoff-lsp.toml, or the table [tool.handoff-lsp] of pyproject.toml; the nearest one above a file applies:

    examples = true                    # also check the examples in documents about a format
    exclude = ["vendor/**"]
    baseline = ".handoff-lsp-baseline.json"   # known findings, written by `handoff-lsp baseline`
    disable = ["status-block"]         # contracts to disable
    contract-files = ["contracts/*.yaml"]

    [contracts.agent-contract]
    profile = "gaia-5.0"

    [rules]                            # error, warning, information, hint or off
    count-mismatch = "information"

    [[files]]
    pattern = "docs/turns/*.md"
    mode = "template"                  # or a `contract`, or its own `rules`
"""

BASELINE_ABOUT = """\
Writes the findings of today to a file, so that `check` reports only new ones. Later runs remove the findings that are
gone, as `check` itself does after a run over all files, except in CI (if `CI` is set).
"""

BASELINE_MORE = """\
examples:
  handoff-lsp baseline                    write .handoff-lsp-baseline.json, and name it in the config
  handoff-lsp check                       only findings that are not in it
  handoff-lsp check --no-baseline         all findings
  handoff-lsp baseline --force            add the new findings, too

matching:
  An entry is a rule and a field in a line of a file, with a count. Lines may move, and be indented or numbered anew;
  a file may move. One more finding of the same kind is new.

exit codes:
  0  written, or nothing to change
  2  some files could not be checked, or the file could not be read or written
"""

SYNC_ABOUT = """\
Updates the marked copies of contracts in Markdown documents, such as agent definitions.
"""

SYNC_MORE = """\
a copy is between two comments:
  <!-- handoff: begin contract=NAME part=PART -->
  <!-- handoff: end -->
  also with profile=NAME, and with field=PATH for part=values

parts:
  skeleton  a handoff to fill in
  values    the values of a field (default: the status), their meanings, and what happens then
  fields    the fields: name, value, whether required, meaning
  schema    the JSON Schema: of a handoff in JSON or YAML, else of its fields as `parse` prints them
  example   a sound handoff

examples:
  handoff-lsp sync                        update all copies below this folder
  handoff-lsp sync --check                in CI: is any copy out of date?
  handoff-lsp sync --diff agents/         what would change

exit codes:
  0  all copies are up to date, now
  1  with --check or --diff: a copy would change; or a comment cannot be followed, such as one with an unknown part
  2  some files could not be read or written, wrong arguments, or a broken config
"""

PARSE_ABOUT = """\
Shows the parsed fields of handoffs, the same way for every format: contract, profile, status, fields, the
orchestrator's decision with the fields it reads, and findings. `-` is standard input.
"""

PARSE_MORE = """\
examples:
  handoff-lsp parse board/dev-handoff.md                      as a table
  handoff-lsp parse --output-format json board/               as JSON, for all handoffs in a folder
  handoff-lsp parse dev-handoff.md && ./next-phase            continue only if the decision is reliable
  agent | handoff-lsp parse - --output-format json            the answer of an agent

json:
  One object per handoff, one per line:

    path, contract, profile, mode     the file, and what it was recognized as
    range                             {"start": {"line", "column"}, "end": {…}}, from 1
    status                            in the contract's spelling; null if it is missing or invalid
    readable                          whether the contract's reader can parse it. If not, `fields` has what could be
                                      recovered
    fields                            values by name, nested. Missing fields are left out. null: the field is not filled
                                      in, or its value is invalid
    decision                          the decision in one line
    routing                           {"action": "advance|continue|retry|ask|stop", "brief", "reason",
                                      "reads": [titles], "doubts": [{"rule", "message", "range"}]}; null for
                                      templates, examples and formats without a status. A handoff with an error, or
                                      without a valid status, never advances or continues. `doubts`: the findings
                                      that prevent it
    findings                          as in `check --output-format json`

exit codes:
  0  every named file has a handoff, and each handoff has a valid status (if its format has one), no error, no doubt
  1  the decision about at least one handoff is not reliable, a file has an error elsewhere, a file in a folder was
     skipped as unreadable, or there is no handoff to act on (see stderr)
  2  some files could not be read (see stderr)
"""

NEW_ABOUT = """\
Writes a new handoff of a contract, with placeholders in angle brackets, to standard output or to a file. `check`
reports unfilled placeholders.
"""

NEW_MORE = """\
examples:
  handoff-lsp new -o handoffs/board/backend-reviewer-handoff.md
  handoff-lsp new status-block --profile reviewer
  handoff-lsp new agent-contract                       a JSON block in its fence
  handoff-lsp new status-block --mode template         a template for handoffs

`handoff-lsp explain --list` lists the contracts, `handoff-lsp explain CONTRACT` the profiles of one.

exit codes:
  0  written
  2  not written: wrong arguments, or the file exists (--force)
"""

EXPLAIN_ABOUT = """\
Prints the documentation of a rule, a contract, a profile, a field or a value.
"""

EXPLAIN_MORE = """\
examples:
  handoff-lsp explain count-mismatch
  handoff-lsp explain status-block
  handoff-lsp explain status-block.abstract.verdict
  handoff-lsp explain status-block@reviewer.abstract.verdict    in one of the profiles
  handoff-lsp explain status-block.status=blocked               the meaning of a value and the action on it
  handoff-lsp explain --list                                    all rules and contracts

exit codes:
  0  success
  2  unknown name
"""

SCHEMA_ABOUT = """\
Prints the JSON Schema of a contract's handoffs, for a model, a program or an editor, or one of the schemas of
handoff-lsp itself. A schema describes the shape; `check` finds what it means.
"""

SCHEMA_MORE = """\
examples:
  handoff-lsp schema status-block                          the fields as `parse` prints them
  handoff-lsp schema agent-contract@gaia-5.4 --of handoff  a handoff as written, for contracts in JSON or YAML
  handoff-lsp schema status-block@reviewer --for openai    for a model that writes the fields
  handoff-lsp schema contract > contracts/contract.schema.json
  handoff-lsp schema contract --path                       its path, for the settings of an editor

of:
  fields         what `parse` prints under `fields`. A missing field is left out, one without a valid value is null
  handoff        the JSON or YAML of the handoff, with the conditions that compare values as `if` and `then`

for:
  draft-2020-12  for validators, generators of code and editors
  openai         the subset for structured outputs: all fields required, optional ones may be null
  anthropic      the subset for structured outputs and strict tools: 24 optional fields, 16 that may be null
  A schema for models is stricter: what the contract requires must be there, and deprecated fields are left out.

names:
  config         .handoff-lsp.toml, or [tool.handoff-lsp] in pyproject.toml
  contract       contract files. In the first line of one, with a path relative to its folder:
                 # yaml-language-server: $schema=contract.schema.json
  check          the output of `check --output-format json`
  parse          a line of `parse --output-format json`
  graph          the output of `graph --output-format json`

exit codes:
  0  printed
  2  unknown name, or a contract in Markdown with `--of handoff`
"""

EXPORT_ABOUT = """\
Writes a contract to standard output in another form, for models and for people.
"""

EXPORT_MORE = """\
examples:
  handoff-lsp export status-block@reviewer --as prompt > prompts/reviewer.md
  handoff-lsp export agent-contract --as example

forms:
  prompt     instructions for a model: the skeleton, the fields with their values, the conditions
  template   a template, as `new --mode template` writes it
  example    a handoff that `check` finds nothing in; its texts are the descriptions of the fields
  docs       the reference page of the contract with all profiles, in Markdown

exit codes:
  0  written
  1  the example is not sound: its findings are on standard error
  2  wrong arguments
"""

INIT_ABOUT = """\
Writes `.handoff-lsp.toml` into a folder, from the handoffs that it contains. The config changes no finding as it is
written; proposals are comments in it.
"""

INIT_MORE = """\
examples:
  handoff-lsp init                 for this folder
  handoff-lsp init docs/handoffs   for another one
  handoff-lsp init --force         write it anew

If a config in a folder above applies, the new one extends it.

exit codes:
  0  written
  2  not written: the folder has a config (--force), or it is no folder
"""

CONFIG_ABOUT = """\
Commands for the config. `handoff-lsp init` writes one.
"""

CONFIG_MORE = """\
examples:
  handoff-lsp config show                          the settings in this folder
  handoff-lsp config show board/dev-handoff.md     the settings of a file
"""

CONFIG_SHOW_ABOUT = """\
Shows the settings that apply to a file, and where each comes from: a line of a config, an option, or the default.
The file need not exist. `handoff-lsp doctor FILE` shows the handoffs in it and why they were recognized.
"""

CONFIG_SHOW_MORE = """\
examples:
  handoff-lsp config show                                     the settings in this folder
  handoff-lsp config show board/dev-handoff.md                the settings of a file
  handoff-lsp config show a.md --severity count-mismatch=off  with the options of `check`

json:
  One object with `path`, `config` (its `path`, `by`, `extended` …), `passed_over` (why a check of its folder leaves the
  file out), `contract` and `mode` (if `[[files]]` names them), `settings`, `rules` and `entries` of `[[files]]`. Each
  of these has a `source`: {"by": "default|command line|config", "path", "line"}.

exit codes:
  0  success
  2  the config is invalid
"""

CONTRACT_ABOUT = """\
Commands for your own contracts: the YAML files that the config names in `contract-files`.
"""

CONTRACT_MORE = """\
examples:
  handoff-lsp contract learn stories/*.md         write a contract that recognizes these documents
  handoff-lsp contract new nightly-report         write a small contract with its cases
  handoff-lsp contract lint                       check the contracts of the config
  handoff-lsp contract test                       run the cases of the contracts of the config
  handoff-lsp contract migrate                    rewrite contracts of an earlier version of the language

Each action has its own help: `handoff-lsp contract test --help`.
"""

CONTRACT_LEARN_ABOUT = """\
Writes a contract that recognizes the samples without findings: its form, its fields with their types, the required
ones, and the signs of recognition. It is tested on the samples before it is written. Open questions are marked
`decide:` in its comments.
"""

CONTRACT_LEARN_MORE = """\
examples:
  handoff-lsp contract learn docs/stories/*.md -o contracts/story.yaml
  handoff-lsp contract learn docs/stories --negative README.md docs/guides -o contracts/story.yaml
  handoff-lsp contract learn tasks/*.json --from task.schema.json -o contracts/task.yaml
  handoff-lsp contract learn replies/*.md --form fence       if several forms fit the samples

Three samples give a start, eight a good contract. Use real ones: templates show the values, but not what is optional.
The contract takes effect once `contract-files` of the config names it.

exit codes:
  0  the contract recognizes all samples and no negative, without findings
  1  written, but it misses some of that (see the summary)
  2  not written: the samples have too little in common, or wrong arguments
"""

CONTRACT_NEW_ABOUT = """\
Writes a small working contract with its cases: a status, a summary, a condition, a check and routes. Change it into
your format, and run `handoff-lsp contract test` as you go.
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
  0  written
  2  not written: wrong arguments, or a file exists (--force)
"""

CONTRACT_LINT_ABOUT = """\
Checks contracts and reports each problem at its token. Then counts the files below this folder that match each
contract, and lists files that two contracts claim.
"""

CONTRACT_LINT_MORE = """\
examples:
  handoff-lsp contract lint                           all contracts of the config
  handoff-lsp contract lint contracts/story.yaml      one contract, even if the config does not name it
  handoff-lsp contract lint --fail-on warning         for CI: also fail if a contract matches no file
  handoff-lsp contract lint --ignore no-match         for a library of contracts without documents

warnings:
  no-match     no file below this folder is a handoff of the contract
  two-claims   two contracts claim the same handoff. To decide, use `disable` or `[[files]]` in the config, or more
               signs in the contract

json:
  One array, with the keys of `check --output-format json`.

exit codes:
  0  no problem at or above the threshold (--fail-on)
  1  problems
  2  some files could not be read
"""

CONTRACT_TEST_ABOUT = """\
Runs the cases of contracts: documents with the expected findings below their lines. The cases of `story.yaml` are in
`story.cases.md` in the same folder.
"""

CONTRACT_TEST_MORE = """\
examples:
  handoff-lsp contract test                                all contracts of the config
  handoff-lsp contract test contracts/story.yaml           one contract
  handoff-lsp contract test contracts/ --update            write the actual findings into the case files
  handoff-lsp contract test status-block --cases DIR       a built-in contract, with cases of your own

case files:
  A case is a heading `## …` with a document below it, in a fence of tildes. Carets below a line mark the characters of
  a finding; after them come the rule and, if they matter, its severity and words of its message:

    ## A red report must count its failures
    ~~~~document reports/nightly.md
    ## Nightly report
    - Result: red
    - Failures: 0
                ^ contradiction error "but Failures is 0"
    ~~~~
    routes stop

  A document must have exactly the findings that its carets mark: without carets, none.
  `+ RULE` instead of carets is a finding of zero width at that column.
  `routes ACTION "words"` below the document is the decision, with words of its reason; one line per handoff.
  After `~~~~document`: the path of the document, if it matters, and options: `profile=NAME`, `examples`,
  `rule:CODE=SEVERITY`, `contract=NAME` for the profile of another contract; any other `key=value` is a setting of the
  contract. `~~~~beside PATH` is another file of the workspace, `~~~~fixed RULE` the document after the first fix.

coverage:
  Lists the checks, conditions (required, filled, forbidden) and routes that no passing case covers. "Fires": it causes
  a finding, or the decision of a line `routes`. "Near miss": it is evaluated and causes nothing: the check holds, the
  condition is false although the field is missing (forbidden: filled), or a later route is taken.

exit codes:
  0  all cases pass
  1  a case fails
  2  not all could be tested: an invalid contract, an unreadable case, no cases
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

REPORT_ABOUT = """\
Writes one HTML page about the handoffs of files and folders: where the pipeline stopped, the hand-overs between agents,
the decision about each handoff, a timeline from the logs, and the findings. With --worktrees: of all work trees of a
git repository, with the agents that work in them. The page loads nothing and runs no script.
"""

REPORT_MORE = """\
examples:
  handoff-lsp report -o report.html                all handoffs below this folder
  handoff-lsp report handoffs/ > report.html       to standard output
  handoff-lsp report --worktrees -o agents.html    all work trees of this repository

page:
  Those that need a person come first. Of very many things it shows the most urgent, and says how many it leaves out.
  A page that FILE already has is replaced; FILE ends in .html.

exit codes:
  0  success, whatever the findings
  2  some files could not be checked (the page names them), no git or repository, or wrong arguments
"""

GRAPH_ABOUT = """\
Shows what the prompts of a workspace (agents' definitions, commands, skills, templates, pages) say about each contract:
which agents emit a value, who handles it, which prompts only name or forbid it, in how many handoffs it is, and where
prompts and contracts disagree.
"""

GRAPH_MORE = """\
examples:
  handoff-lsp graph                        tables of all contracts that prompts are about
  handoff-lsp graph -o pack.html           a page with drawings; it loads nothing and runs no script
  handoff-lsp graph --output-format json   the same for programs
  handoff-lsp check --drift                for CI: only what has drifted, with exit code 1 for errors

PATH chooses the files whose findings and handoffs count. All prompts of their workspace are compared.

json:
  One object with `version`, `packs`, `failed` and `skipped`. `handoff-lsp schema graph` describes it:

    packs       one for each workspace: {"root", "prompts", "contracts", "edges", "findings", "unread"}
    prompts     {"path", "speaker", "role", "contracts", "refers", "drift"}
    contracts   {"contract", "title", "status", "prompts", "handoffs", "rows"}
    rows        {"field", "value", "known", "emitted", "handled", "documented", "forbidden", "seen", "drift"}; `value`
                is empty for the field itself. The four columns are lists of {"path", "speaker", "role", "range"}
    edges       {"kind": "status|route", "sender", "receiver", "contract", "field", "values", "drift"}: the values of
                a status that the one emits and the other handles, or that the one names the other as the next agent
    findings    as in `check --output-format json`

exit codes:
  0  success, whatever the findings
  2  some files could not be checked, too many prompts to compare, or wrong arguments
"""

MONITOR_ABOUT = """\
Shows the agents that work in the work trees of a git repository: the status file and the branch of each one, its
newest handoff, and what needs attention. Neither handoff-lsp nor git writes anything.
"""

MONITOR_MORE = """\
examples:
  handoff-lsp monitor                                   all work trees of this repository
  handoff-lsp monitor --watch                           again every 5 seconds, until Ctrl-C
  handoff-lsp monitor --fail-on blocked,failed,stale    for CI: exit with 1 if one of these needs attention
  handoff-lsp monitor --output-format markdown          for the summary of a job, or a comment
  handoff-lsp monitor --stale 2h --base develop

columns:
  agent       as its status file says, else the end of the branch's name. `!` marks one that needs attention
  criteria    the success criteria: passed, failing, not run, or unknown
  updated     the age of the status, by the time that it states
  commits     those that the base does not have, by the prefixes of their messages

attention:
  gone        the folder of the work tree is missing
  failed      the decision about the status is to stop, or the status file cannot be read
  blocked     the decision is to ask or to retry
  stale       the agent is running, but has not updated its status within --stale
  checkpoint  the branch lacks the last checkpoint that the status or the log names
  unmerged    the task is completed, but its commits are not in the base, or not all changes are committed
  no-status   a linked work tree has no status file
  findings    the status file has errors; `handoff-lsp check` shows them
  handoff     the decision about the newest handoff is to ask or to stop
  unread      git or a config cannot be read

json:
  One object per work tree, one per line:

    path, branch, head, main, base     the work tree; head is a full hash. null: no such thing
    locked, gone                       the reason, or null
    agent, task, status, progress      as the status file says; status is null without a valid one
    criteria                           passed, failing, not run, unknown or none; null without a status file
    blockers, warnings, errors         lists of texts
    updated, age                       the time that the status states, and its age in seconds
    state                              the status file: {"path", "contract", "agent", "status", "action", "decision",
                                       "reason", "errors", "warnings", "updated"}, errors and warnings being numbers
                                       of findings; or null
    no_status                          the reason if there is no status
    commits                            {"total", "by_prefix": {prefix: number}, "own": [commit], "latest": [commit]};
                                       `own` are those that the base does not have; a commit is
                                       {"hash", "time", "subject"}
    merged                             whether the base has all of them; null without a base, and for the base itself
    uncommitted                        the number of changed files, without those of the agent's state
    lost_checkpoints                   checkpoints that the branch lacks
    handoff                            the newest handoff that is not a status, as `state`; or null
    concerns                           [{"concern", "reason"}], the most urgent first; concern is a name from above

exit codes:
  0  success
  1  something of --fail-on needs attention
  2  no git, no repository, or wrong arguments
"""

HOOK_ABOUT = """\
Answers the hooks of an agent: reads the hook's input from standard input and writes the findings and corrections of a
handoff, just written or about to be returned, to standard output in the agent's format. A subagent that ends without
what it owes gets the block to emit. Silent if there is no finding. `hook report` shows what became of the agents'
returns.
"""

HOOK_MORE = """\
examples:
  handoff-lsp hook claude-code                           the command in the settings of Claude Code
  handoff-lsp hook cursor --print-config > .cursor/hooks.json
  handoff-lsp hook gemini --fail-on warning              warnings must be corrected, too
  handoff-lsp hook claude-code --observe                 for a first week: logs, and keeps no agent from ending
  handoff-lsp hook claude-code --observe --print-config  the setup for that week
  handoff-lsp hook report --since 7d                     returns by agent: clean, sent back, helped by a retry

log:
  A line for each return of a subagent and each edit of a handoff: time, agent, result and rules, no text. It is in your
  cache folder, is sent nowhere, and is kept for 31 days. `--no-log` writes none. HANDOFF_LSP_OBSERVE=1 is `--observe`
  for a command that cannot be changed, such as that of a plugin.

limits:
  Repeats a complaint at most twice after edits. Sends an agent back at its end once (`--retries`), then notifies the
  user and lets the agent finish.

exit codes:
  0  always, even if the input cannot be read: the hook never stops the agent by its own errors
  1  wrong arguments
"""

DOCTOR_ABOUT = """\
Shows the installation and its problems, the config of a file, and the contract and signs by which the file was
recognized; if it is not a handoff, explains why. Of a folder, and of an agent's definition: what the agents owe, and
from where that is known. The editor command `handoff.doctor` adds the capabilities agreed with
the editor. Safe to paste into an issue: quotes only headings of documents. `handoff-lsp config show FILE` lists the
settings of a file.
"""

DOCTOR_MORE = """\
examples:
  handoff-lsp doctor                                   the installation, and the config of this folder
  handoff-lsp doctor board/backend-dev-handoff.md      why a file is a handoff or not
  handoff-lsp doctor --agent reviewer                  what one agent owes
  handoff-lsp doctor --output-format json NOTES.md     the same as JSON
  handoff-lsp doctor - --stdin-filename NOTES.md < x   standard input, examined as that file

json:
  One object with `problems`, `server`, `folders`, `files` and `agents`. `relevant` of a file is true if an editor
  should start the server for it: a handoff, a near miss, a file named by the config, a contract's path or a comment,
  or a prompt about a contract.

exit codes:
  0  no problems
  1  problems (listed first)
  2  a file cannot be read, or Python is too old
"""

COMPLETION_ABOUT = """\
Prints a script that completes commands, options and their values in a shell.
"""

COMPLETION_MORE = """\
examples:
  handoff-lsp completion bash > ~/.local/share/bash-completion/completions/handoff-lsp
  handoff-lsp completion zsh > ~/.zfunc/_handoff-lsp                            with ~/.zfunc in fpath
  handoff-lsp completion fish > ~/.config/fish/completions/handoff-lsp.fish
  handoff-lsp completion tcsh | source /dev/stdin                               in ~/.tcshrc
  handoff-lsp completion powershell | Out-String | Invoke-Expression            in $PROFILE

exit codes:
  0  printed
  2  unknown shell
"""

MCP_ABOUT = """\
Runs the MCP server over standard input and output. Agents start it, and get the tools check, parse, new, explain and
owed. It needs the extra `mcp`: pip install 'handoff-lsp[mcp]'
"""

MCP_MORE = """\
examples:
  handoff-lsp mcp                             the command in the configuration of an agent: docs/mcp.md
  handoff-lsp mcp --root /path/to/project     for an agent that starts its servers in another folder

files:
  Reads files only in the workspace: the FOLDER, the roots that the client names, or the working folder. Writes none.

exit codes:
  0  the client closed the connection
  2  wrong arguments, or the extra is not installed
"""

SERVER_ABOUT = """\
Runs the language server over standard input and output. Editors and agents start it.
"""

LANG = "language of messages: en or ja (default: the locale's on a terminal, else en)"
