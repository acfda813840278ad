--- Whether a buffer may be a handoff. A buffer at a usual path of handoffs counts as one. For others, the running
--- server of their root answers, or else a short-lived command.
local M = {}

-- A command that takes longer than this (ms) is ended.
local PATIENCE = 20000
-- A longer buffer (bytes) is none of ours.
local LONGEST = 5000000

---@type vim.lpeg.Pattern[]?
local globs

---@param path string From the root, with `/`.
local function is_usual(path)
	globs = globs or vim.tbl_map(vim.glob.to_lpeg, require("handoff.places").globs)
	return vim.iter(globs):any(function(glob)
		return glob:match(path) ~= nil
	end)
end

-- The first key of a contract comes after no more lines of comments than this.
local HEAD = 100

--- Whether a YAML buffer is a contract: its first key says so. No other YAML is ours.
---@param bufnr integer
local function is_contract(bufnr)
	for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, HEAD, false)) do
		if not line:find("^%s*#") and not line:find("^%s*$") and not line:find("^%-%-%-%s*$") then
			return line:find("^contract:%s+[\"']?[%w_.-]+") ~= nil
		end
	end
	return false
end

---@class handoff.Question
---@field bufnr integer
---@field name string The buffer's, when it was asked.
---@field root string
---@field on_answer fun(may_be: boolean)
---@field dropped? boolean Whether nobody waits for the answer any more.

---@type handoff.Question[] What waits: one command runs at a time.
local waiting = {}
---@type {question: handoff.Question, process: vim.SystemObj}?
local running

---@param question handoff.Question
local function is_current(question)
	return vim.api.nvim_buf_is_loaded(question.bufnr)
		and vim.api.nvim_buf_get_name(question.bufnr) == question.name
end

---@param bufnr integer
local function text_of(bufnr)
	return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n") .. "\n"
end

--- Have the server of the root answer, if one runs; one that cannot is silent about what is no handoff.
---@param question handoff.Question
---@return boolean asked
local function ask_server(question)
	local name = require("handoff.server").NAME
	for _, client in ipairs(vim.lsp.get_clients({ name = name })) do
		if client.initialized and client.root_dir == question.root then
			local about = { uri = vim.uri_from_fname(question.name), text = text_of(question.bufnr) }
			local params = { command = "handoff.doctor", arguments = { about } }
			return client:request("workspace/executeCommand", params, function(failure, answer)
				question.on_answer(is_current(question) and (failure ~= nil or answer.file.relevant ~= false))
			end)
		end
	end
	return false
end

---@param result vim.SystemCompleted
local function may_be(result)
	local ok, report = pcall(vim.json.decode, result.stdout)
	-- A command without an answer is as old or as broken as the server, which then reports the problem.
	return not ok or not report.files or report.files[1].relevant ~= false
end

local function ask_next()
	if running or #waiting == 0 then
		return
	end
	local question = table.remove(waiting, 1) --[[@as handoff.Question]]
	if not is_current(question) then
		question.on_answer(false)
		return ask_next()
	end
	if ask_server(question) then
		return ask_next()
	end
	local arguments = { "doctor", "--output-format", "json", "--stdin-filename", question.name, "-" }
	local command, unknown = require("handoff.server").question(question.root, arguments)
	if not command then
		question.on_answer(unknown == true)
		return ask_next()
	end
	local options = { stdin = text_of(question.bufnr), text = true, timeout = PATIENCE }
	local ok, process = pcall(vim.system, command, options, function(result)
		vim.schedule(function()
			running = nil
			if not question.dropped then
				question.on_answer(is_current(question) and may_be(result))
			end
			ask_next()
		end)
	end)
	if ok then
		running = { question = question, process = process }
	else
		question.on_answer(true)
		ask_next()
	end
end

--- No longer ask about a buffer.
---@param bufnr integer
function M.cancel(bufnr)
	waiting = vim.tbl_filter(function(question)
		return question.bufnr ~= bufnr
	end, waiting)
	if running and running.question.bufnr == bufnr then
		running.question.dropped = true
		running.process:kill("sigterm")
	end
end

--- Find out whether a buffer may be a handoff; the answer comes now or later.
---@param bufnr integer
---@param root string
---@param on_answer fun(may_be: boolean)
function M.buffer(bufnr, root, on_answer)
	local own = require("handoff.options").get().attach
	local wish = own and own(bufnr)
	if wish ~= nil then
		return on_answer(wish)
	end
	local name = vim.api.nvim_buf_get_name(bufnr)
	local path = vim.fs.normalize(name)
	if is_usual(vim.fs.relpath(root, path) or path) then
		return on_answer(true)
	end
	if vim.bo[bufnr].filetype == "yaml" then
		return on_answer(is_contract(bufnr))
	end
	if vim.bo[bufnr].filetype == "toml" then
		return on_answer(require("handoff.project").is_config(path, function()
			return text_of(bufnr)
		end))
	end
	if vim.api.nvim_buf_get_offset(bufnr, vim.api.nvim_buf_line_count(bufnr)) > LONGEST then
		return on_answer(false)
	end
	M.cancel(bufnr)
	waiting[#waiting + 1] = { bufnr = bufnr, name = name, root = root, on_answer = on_answer }
	ask_next()
end

return M
