--- All handoffs of the workspace in the quickfix list, by what the orchestrator would do.
local M = {}

---@class handoff.Listed
---@field uri string
---@field range lsp.Range
---@field label string
---@field statusText string
---@field openQuestions? integer
---@field action? string
---@field brief string
---@field errors integer
---@field warnings integer

local NONE = "no decision"

---@generic T
---@param value T
---@return T? # nil for what JSON calls null
local function there(value)
	return value ~= vim.NIL and value or nil
end

---@param count integer
---@param one string
---@return string|false
local function counted(count, one)
	return count > 0 and ("%d %s%s"):format(count, one, count == 1 and "" or "s")
end

---@param handoff handoff.Listed
---@return string
local function line_of(handoff)
	local parts = {
		handoff.label,
		handoff.statusText,
		handoff.brief,
		counted(there(handoff.openQuestions) or 0, "open question"),
		counted(handoff.errors, "error"),
		counted(handoff.warnings, "warning"),
	}
	return table.concat(
		vim.tbl_filter(function(part)
			return part and part ~= ""
		end, parts) --[[@as string[] ]],
		" · "
	)
end

--- The handoffs in the server's order, which has what needs a person first, below a heading for each action.
---@param handoffs handoff.Listed[]
---@return vim.quickfix.entry[]
function M.entries(handoffs)
	local counts = {}
	for _, handoff in ipairs(handoffs) do
		local action = there(handoff.action) or NONE
		counts[action] = (counts[action] or 0) + 1
	end
	local entries, last = {}, nil
	for _, handoff in ipairs(handoffs) do
		local action = there(handoff.action) or NONE
		if action ~= last then
			entries[#entries + 1] = { text = ("%s (%d)"):format(action, counts[action]), valid = 0 }
			last = action
		end
		entries[#entries + 1] = {
			filename = vim.uri_to_fname(handoff.uri),
			lnum = handoff.range.start.line + 1,
			col = 1,
			type = handoff.errors > 0 and "E" or handoff.warnings > 0 and "W" or "",
			text = line_of(handoff),
		}
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
