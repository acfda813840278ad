--- A code action with several equal choices behind it: the user picks one of them, and its edit is applied.
local M = {}

---@class handoff.Choice
---@field label string
---@field about string
---@field action lsp.CodeAction

---@param choice handoff.Choice
local function shown(choice)
	return choice.about ~= "" and ("%s: %s"):format(choice.label, choice.about) or choice.label
end

---@param client vim.lsp.Client
---@param action lsp.CodeAction
---@param bufnr integer
function M.apply(client, action, bufnr)
	if action.edit then
		vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
		return
	end
	client:request("codeAction/resolve", action, function(failure, resolved)
		if failure then
			require("handoff.request").tell(failure.message, vim.log.levels.ERROR)
		elseif resolved.edit then
			vim.lsp.util.apply_workspace_edit(resolved.edit, client.offset_encoding)
		end
	end, bufnr)
end

---@param given { title: string, choices: handoff.Choice[] }
---@param context { client_id: integer, bufnr: integer }
function M.run(given, context)
	local client = assert(vim.lsp.get_client_by_id(context.client_id))
	local options = { prompt = given.title:gsub("`", ""):gsub(" …$", ":"), kind = "codeaction", format_item = shown }
	vim.ui.select(given.choices, options, function(choice)
		if choice then
			M.apply(client, choice.action, context.bufnr)
		end
	end)
end

return M
