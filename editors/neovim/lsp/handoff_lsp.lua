---@brief
---
--- handoff-lsp: a language server for AI-agent handoffs. `vim.lsp.enable("handoff_lsp")` is all it needs.
---
--- It starts with the first buffer that may be a handoff, and attaches to no other. |handoff.txt|

---@type vim.lsp.Config
return {
	cmd = function(dispatchers, config)
		return require("handoff.server").start(dispatchers, config)
	end,
	filetypes = { "markdown", "json", "jsonc", "log", "yaml", "toml" },
	root_dir = function(bufnr, on_dir)
		require("handoff.attach").root_dir(bufnr, on_dir)
	end,
	before_init = function(params)
		params.locale = params.locale or require("handoff.server").tag(vim.v.lang)
	end,
	capabilities = { experimental = { handoff = { choose = true } } },
	commands = {
		["handoff-lsp.choose"] = function(command, context)
			require("handoff.choose").run(command.arguments[1], context)
		end,
	},
	on_exit = function(code, signal, client_id)
		require("handoff.restart").on_exit(code, signal, client_id)
	end,
}
