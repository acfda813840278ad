--- The page of a prompt: the values that its agent writes, who reads them, and its findings.
local M = {}

--- Show it in a floating window.
---@param client vim.lsp.Client
---@param uri string
function M.show(client, uri)
	local request = require("handoff.request")
	request.ask(client, "showPrompt", { uri = uri, quiet = true }, function(answer)
		if not answer then
			request.tell("this document says nothing about a contract")
			return
		end
		local lines = vim.split(answer.markdown, "\n", { trimempty = true })
		vim.lsp.util.open_floating_preview(lines, "markdown", { focus_id = "handoff.prompt", max_width = 120 })
	end)
end

return M
