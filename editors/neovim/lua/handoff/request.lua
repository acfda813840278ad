--- Asking the server for what it does on request: `workspace/executeCommand`.
local M = {}

local METHOD = "workspace/executeCommand"
-- Completion waits no longer than this (ms).
local SOON = 1000

---@param text string
---@param level? integer
function M.tell(text, level)
	vim.notify("handoff-lsp: " .. text, level or vim.log.levels.INFO)
end

--- An object without the keys that are null.
---@param object table
---@return table
function M.plain(object)
	return vim.iter(object):fold({}, function(kept, key, value)
		kept[key] = value ~= vim.NIL and value or nil
		return kept
	end)
end

---@param command string
---@param argument? table
local function params_of(command, argument)
	return { command = "handoff." .. command, arguments = argument and { argument } or {} }
end

---@param client vim.lsp.Client
---@param command string Without `handoff.`.
function M.knows(client, command)
	local provider = client.server_capabilities.executeCommandProvider
	return provider ~= nil and vim.list_contains(provider.commands, "handoff." .. command)
end

--- Have the server do something; what it answers comes later.
---@param client vim.lsp.Client
---@param command string
---@param argument? table
---@param on_answer? fun(answer: any)
function M.ask(client, command, argument, on_answer)
	if not M.knows(client, command) then
		M.tell(("this server is too old for `%s`: update it."):format(command), vim.log.levels.WARN)
		return
	end
	client:request(METHOD, params_of(command, argument), function(failure, answer)
		if failure then
			M.tell(failure.message, vim.log.levels.ERROR)
		elseif on_answer then
			on_answer(answer ~= vim.NIL and answer or nil)
		end
	end)
end

--- The same for completion: at once or nothing.
---@param client vim.lsp.Client?
---@param command string
---@return table[]
function M.soon(client, command)
	if not client or not M.knows(client, command) then
		return {}
	end
	local answer = client:request_sync(METHOD, params_of(command), SOON)
	return answer and type(answer.result) == "table" and answer.result or {}
end

return M
