"""The features of an editor, one module each: pure functions from a document to plain dataclasses.

A feature takes an `Analysis`, or a `Context` (`context.py`) if it needs more than the document. The table lists the
modules that the server calls, with one line about each. `make generate` writes it.

    actions.fix_all           Applying all safe fixes of a document at once.
    actions.offered           All code actions of a document: quick fixes, fix-all, organize, and refactorings.
    completion.complete       Completion at the cursor: sections, fields, values, whole handoffs.
    counts                    Wrong counts: numbers in a handoff that differ from the items that they count.
    decision.hints            Inlay hints: the action after a value, the right number after a wrong count.
    decision.lens             Code lenses: above each handoff the orchestrator's current decision.
    decision.overview         The handoffs of a document as entries in a list of the workspace's handoffs: author.
    decision.places           The places in a document that explain its decision: the value that decides, the findings.
    diagnostics               Findings as an editor marks them. Called at every keystroke: no fix is made here.
    doctor.installation       The doctor's facts for support: the installation, the config in force, and the problems.
    doctor.page               The doctor's report as Markdown, to read or to copy into a question.
    formatting.format         Formatting: the JSON of handoffs, values of labels in one column.
    names.links               Links in a document: paths of existing files, URLs where editors do not find them.
    names.look_up             Preparing an answer about a name or a file by reading all documents, one at a time.
    names.workspace_symbols   Symbols of all documents in the open folders: handoffs with their status, agents, tasks.
    new.contract_list         The contracts to choose from, as plain data.
    new.suggestions           The contracts and profiles for a new handoff, by the path of its document.
    new.template_insertion    Inserting a new handoff into a document: the edits.
    outline.document_symbols  The outline of a document with handoffs: its handoffs, sections and fields.
    outline.folding           Folding ranges of a document with handoffs: handoffs, sections, data, lists.
    outline.selection         The steps in which a selection grows: a word, its value, its field, its object or section.
    outline.semantic_tokens   The semantic tokens of a document's handoffs: keys, values.
    own_files                 Open files of handoff-lsp's own: contract files and configs.
    pages.decision_page       The decision about a handoff as Markdown: for hovers, tooltips.
    pages.hover               Hover: the page about a field, a value, a name, a path, a fence's tag.
    pages.markup              Text as Markdown for an editor to render.
    pages.topics              The topics of `explain` and their pages: rules, contracts with their profiles.
    prompts.lens              The lenses of a prompt: what it has its agent write, who reads that, and its findings.
    prompts.page              The page about a prompt: for each contract a table of the values that it names.
    typing                    Findings that wait while a line is being typed.
    unfilled                  Drafts: handoffs that nobody claims to be finished.
    words.lookups             Names and words of contracts at a place of a document: references, highlights.
    words.rename              Renaming a field or a value of an own contract in prompts, templates.
"""
