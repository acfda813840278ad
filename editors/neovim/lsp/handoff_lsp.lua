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
		-- A click on the lens of a prompt: its page, where other editors show a message.
		["handoff.showPrompt"] = function(command, context)
			local client = vim.lsp.get_client_by_id(context.client_id)
			if client then
				require("handoff.prompt").show(client, command.arguments[1].uri)
			end
		end,
	},
	on_exit = function(code, signal, client_id)
		require("handoff.restart").on_exit(code, signal, client_id)
	end,
}
