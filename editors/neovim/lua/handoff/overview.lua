--- All handoffs of the workspace in the quickfix list, by what the orchestrator would do.
local M = {}

---@class handoff.Listed
---@field uri string
---@field range lsp.Range
---@field contract string
---@field title string
---@field status? string
---@field agent? string
---@field openQuestions? integer
---@field action? string
---@field brief? string
---@field errors integer
---@field warnings integer

-- What needs somebody comes first.
local ORDER = { "stop", "ask", "retry", "continue", "advance" }
local NONE = "nothing is decided"

---@generic T
---@param value T
---@return T? # nil for what JSON calls null
local function there(value)
	return value ~= vim.NIL and value or nil
end

---@param handoff handoff.Listed
---@return string
local function line_of(handoff)
	local questions = there(handoff.openQuestions) or 0
	local parts = {
		there(handoff.status) or "?",
		handoff.contract,
		there(handoff.agent) or false,
		there(handoff.brief) or false,
		questions > 0 and ("open questions: %d"):format(questions) or false,
		handoff.errors > 0 and ("errors: %d"):format(handoff.errors) or false,
		handoff.warnings > 0 and ("warnings: %d"):format(handoff.warnings) or false,
	}
	return table.concat(
		vim.tbl_filter(function(part)
			return part and part ~= ""
		end, parts) --[[@as string[] ]],
		" · "
	)
end

---@param handoffs handoff.Listed[]
---@return vim.quickfix.entry[]
function M.entries(handoffs)
	local groups = {}
	for _, handoff in ipairs(handoffs) do
		local action = there(handoff.action) or NONE
		groups[action] = groups[action] or {}
		table.insert(groups[action], handoff)
	end
	local entries = {}
	for _, action in ipairs(vim.list_extend(vim.deepcopy(ORDER), { NONE })) do
		local group = groups[action] or {}
		if #group > 0 then
			entries[#entries + 1] = { text = ("%s (%d)"):format(action, #group), valid = 0 }
		end
		for _, handoff in ipairs(group) do
			entries[#entries + 1] = {
				filename = vim.uri_to_fname(handoff.uri),
				lnum = handoff.range.start.line + 1,
				col = 1,
				type = handoff.errors > 0 and "E" or handoff.warnings > 0 and "W" or "",
				text = line_of(handoff),
			}
		end
	end
	return entries
end

---@param handoffs handoff.Listed[]
function M.show(handoffs)
	if #handoffs == 0 then
		require("handoff.request").tell("there is no handoff in this workspace")
		return
	end
	vim.fn.setqflist({}, " ", { title = "Handoffs", items = M.entries(handoffs) })
	vim.cmd.copen()
end

return M
