" Handoffs of AI agents.

call handoff_lsp#DefineForAle('json')
