"""What an editor shows, one module a feature: pure functions of a document to plain dataclasses.

A feature takes an `Analysis`, or a `Context` (`context.py`) where it asks for more than the document. The table lists
what the server asks, with one line of each module. `make generate` writes it.

    actions.offered           All that is offered for a document: quick fixes, what mends or orders all of it.
    completion.complete       What can be written at the cursor: sections, fields, values, whole blocks.
    counts                    Numbers in a handoff that stand for how many of something it holds.
    decision.hints            Inlay hints: behind a value what it triggers, behind a wrong count the right one.
    decision.lens             Code lenses: above each handoff what the orchestrator does with it now.
    decision.overview         The handoffs of a document as a list of all those of a workspace tells of them.
    diagnostics               Findings as an editor marks them. Called at every keystroke: no fix is made here.
    doctor.installation       Everything that somebody asks who helps with an installation: what is installed.
    doctor.page               The doctor's report as Markdown, to be read, and to be copied into a question.
    formatting.format         Formatting: the JSON of handoffs, the values of an Abstract in one column.
    names.definition          Going to where something is defined: an agent's file, a file, a section.
    names.highlight           The other places of a document that speak of what the cursor is at.
    names.links               Links in a document: paths of files that are there, URLs where editors do not see them.
    names.look_up             Reading, a document at a time.
    names.references          Every place of the workspace that speaks of the same agent, task, change, file or section.
    names.rename              Renaming an agent, a task, a change and the like in all documents.
    names.workspace_symbols   What all documents of the open folders name: handoffs with their status, agents, tasks.
    new.contract_list         The contracts to choose from, as plain data.
    new.new_handoff           A new handoff: its text, made so that it is recognised as what was asked for.
    new.template_insertion    Putting a new handoff into a document: which one its path speaks for.
    outline.document_symbols  The outline of a document with handoffs: its handoffs, sections and fields.
    outline.folding           What can be folded in a document with handoffs: handoffs, sections, data, lists.
    outline.selection         What a selection grows to, step by step: a word, its value, its field.
    outline.semantic_tokens   The words of a document's handoffs by what they mean: keys, values.
    pages.hover               What stands under the cursor: a field, a value, a name, a path, a fence's tag.
    pages.markup              Text as Markdown for an editor to render.
    pages.topics              What can be explained, and the page about each: rules, contracts with their profiles.
    reading                   What a handoff says, as plain data for programs: one object for each.
    typing                    Which findings wait while a line is being typed.
"""
