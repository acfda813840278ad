--- A new handoff in the current buffer, attached or not.
local M = {}

local request = require("handoff.request")
local server = require("handoff.server")

---@class handoff.Contract
---@field name string
---@field title string
---@field about string
---@field profiles { name: string, about: string, default: boolean }[]
---@field profile? string The profile that path and config decide.

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

---@param bufnr integer
local function is_empty(bufnr)
	return vim.api.nvim_buf_line_count(bufnr) == 1 and vim.api.nvim_buf_get_lines(bufnr, 0, 1, false)[1] == ""
end

--- Put a handoff where the cursor is; it is all of an empty buffer, and its placeholders are tab stops there.
---@param bufnr integer
---@param made { text: string, snippet?: string, language?: string }
local function put(bufnr, made)
	if made.language and vim.bo[bufnr].filetype == "" then
		vim.bo[bufnr].filetype = made.language
	end
	if made.snippet and is_empty(bufnr) and vim.api.nvim_get_current_buf() == bufnr then
		vim.snippet.expand((made.snippet:gsub("\n$", "")))
		return
	end
	local at = vim.api.nvim_win_get_cursor(0)[1]
	vim.api.nvim_buf_set_lines(bufnr, at, at, false, vim.split(made.text, "\n"))
end

---@param asked handoff.Asked
---@param bufnr integer
---@param contract string
---@param profile? string
local function insert(asked, bufnr, contract, profile)
	local argument = { contract = contract, profile = profile, snippet = is_empty(bufnr) }
	if asked.attached then
		argument.uri = vim.uri_from_bufnr(bufnr)
		argument.position = vim.lsp.util.make_position_params(0, asked.client.offset_encoding).position
	end
	request.ask(asked.client, "insertTemplate", argument, function(answer)
		if answer and (not asked.attached or answer.snippet) then
			put(bufnr, request.plain(answer))
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

--- Ask for one of several; a single one is not asked for.
---@generic T
---@param items T[]
---@param options table
---@param on_choice fun(item?: T)
local function select(items, options, on_choice)
	if #items == 1 then
		on_choice(items[1])
	else
		vim.ui.select(items, options, on_choice)
	end
end

--- The profile of a contract: the one that path and config decide, else the user.
---@param contract handoff.Contract
---@param on_choice fun(name?: string)
local function with_profile(contract, on_choice)
	if contract.profile then
		return on_choice(contract.profile)
	end
	table.sort(contract.profiles, function(a, b)
		return a.default and not b.default
	end)
	select(contract.profiles, {
		prompt = "Profile:",
		kind = "handoff.profile",
		format_item = function(item)
			return ("%s — %s"):format(item.name, item.about)
		end,
	}, function(chosen)
		on_choice(chosen and chosen.name)
	end)
end

---@param asked handoff.Asked
---@param bufnr integer
local function choose(asked, bufnr)
	-- A buffer without a name is for Markdown: what else there is has files of its own.
	local named = vim.api.nvim_buf_get_name(bufnr) ~= ""
	local where = { uri = named and vim.uri_from_bufnr(bufnr) or "untitled:handoff" }
	request.ask(asked.client, "listContracts", where, function(contracts)
		select(vim.tbl_map(request.plain, contracts), {
			prompt = "New handoff:",
			kind = "handoff.contract",
			---@param item handoff.Contract
			format_item = function(item)
				return ("%s — %s"):format(item.name, item.title)
			end,
		}, function(contract)
			if not contract then
				return asked.done()
			end
			with_profile(contract, function(profile)
				if profile then
					insert(asked, bufnr, contract.name, profile)
				else
					asked.done()
				end
			end)
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
