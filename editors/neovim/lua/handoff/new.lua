--- A new handoff in the current buffer, attached or not.
local M = {}

local request = require("handoff.request")
local server = require("handoff.server")

---@class handoff.Contract
---@field name string
---@field title string
---@field about string

---@class handoff.Asked A client to ask for a buffer.
---@field client vim.lsp.Client
---@field attached boolean Whether the buffer is attached to it.
---@field done fun() To be called when it has answered.

--- Have a client for a buffer, which may have none: a file is attached, a buffer without a name only asks.
---@param bufnr integer
---@param on_client fun(asked: handoff.Asked)
local function with_client(bufnr, on_client)
	local named = require("handoff.attach").is_file(bufnr)
	local client = server.client(bufnr)
	local other = not named and vim.lsp.get_clients({ name = server.NAME })[1] or nil
	if client or other then
		on_client({ client = client or other, attached = client ~= nil, done = function() end })
		return
	end
	local root = named and require("handoff.project").root(bufnr) or vim.fn.getcwd()
	server.told = false
	if not server.available(root) then
		return
	end
	local config = vim.deepcopy(vim.lsp.config[server.NAME])
	config.root_dir = root
	local id = vim.lsp.start(config --[[@as vim.lsp.ClientConfig]], { bufnr = bufnr, attach = named })
	client = id and vim.lsp.get_client_by_id(id)
	if client then
		local function done()
			if not named then
				client:stop()
			end
		end
		on_client({ client = client, attached = named, done = done })
	end
end

--- Put a text where the cursor is; it is all of an empty buffer.
---@param bufnr integer
---@param text string
local function put(bufnr, text)
	local lines = vim.split(text, "\n")
	local empty = vim.api.nvim_buf_line_count(bufnr) == 1 and vim.api.nvim_buf_get_lines(bufnr, 0, 1, false)[1] == ""
	local at = vim.api.nvim_win_get_cursor(0)[1]
	vim.api.nvim_buf_set_lines(bufnr, empty and 0 or at, empty and -1 or at, false, lines)
	if vim.bo[bufnr].filetype == "" then
		vim.bo[bufnr].filetype = vim.startswith(text, "{") and "json" or "markdown"
	end
end

---@param asked handoff.Asked
---@param bufnr integer
---@param contract string
---@param profile? string
local function insert(asked, bufnr, contract, profile)
	local argument = { contract = contract, profile = profile }
	if asked.attached then
		argument.uri = vim.uri_from_bufnr(bufnr)
		argument.position = vim.lsp.util.make_position_params(0, asked.client.offset_encoding).position
	end
	request.ask(asked.client, "insertTemplate", argument, function(answer)
		if answer and not asked.attached then
			put(bufnr, answer.text)
		end
		asked.done()
	end)
end

--- Go on once a client that was just started knows what its server can do.
---@param client vim.lsp.Client
---@param on_ready fun()
local function when_ready(client, on_ready)
	if client.initialized then
		on_ready()
	elseif not client:is_stopped() then
		vim.defer_fn(function()
			when_ready(client, on_ready)
		end, 20)
	end
end

---@param asked handoff.Asked
---@param bufnr integer
local function choose(asked, bufnr)
	request.ask(asked.client, "listContracts", nil, function(contracts)
		vim.ui.select(contracts, {
			prompt = "Which handoff?",
			kind = "handoff.contract",
			---@param item handoff.Contract
			format_item = function(item)
				return ("%s — %s"):format(item.name, item.title)
			end,
		}, function(chosen)
			if chosen then
				insert(asked, bufnr, chosen.name)
			else
				asked.done()
			end
		end)
	end)
end

---@param contract? string
---@param profile? string
function M.run(contract, profile)
	local bufnr = vim.api.nvim_get_current_buf()
	with_client(bufnr, function(asked)
		when_ready(asked.client, function()
			if contract then
				insert(asked, bufnr, contract, profile)
			else
				choose(asked, bufnr)
			end
		end)
	end)
end

return M
