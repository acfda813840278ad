--- Finding the server and starting it.
local M = {}

--- The name of the config and of its clients.
M.NAME = "handoff_lsp"
M.PROGRAM = "handoff-lsp"

local is_windows = vim.fn.has("win32") == 1

---@param path string
---@return string? path If it can be run.
local function runnable(path)
	local found = vim.fn.exepath(path)
	return found ~= "" and found or nil
end

--- Windows looks for programs in the working directory, too: what a stranger's project brings along is not run.
---@param program string
local function is_strange(program)
	return is_windows and vim.fs.dirname(vim.fs.normalize(program)) == vim.fs.normalize(vim.fn.getcwd())
end

--- The server in a project's own `.venv`, whether or not it may be used.
---@param root string?
---@return string?
function M.in_venv(root)
	return root and runnable(vim.fs.joinpath(root, ".venv", is_windows and "Scripts" or "bin", M.PROGRAM)) or nil
end

---@type table<string, boolean> What the user has said in this session.
local trusted = {}

---@param root string
---@param silent? boolean
local function trusts_venv(root, silent)
	local venv = require("handoff.options").get().venv
	if venv == "ask" and trusted[root] == nil and not silent then
		trusted[root] = vim.secure.read(vim.fs.joinpath(root, ".venv")) ~= nil
	end
	return venv == true or (venv == "ask" and trusted[root])
end

---@param root string?
---@param silent? boolean
---@return string? program
---@return string? where How it was found, in words.
local function find(root, silent)
	local own = M.in_venv(root)
	if own and root and trusts_venv(root, silent) then
		return own, "the project's .venv"
	end
	local on_path = runnable(M.PROGRAM)
	if on_path and not is_strange(on_path) then
		return on_path, "PATH"
	end
	local mason = vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "mason", "bin", M.PROGRAM)
	local installed = runnable(mason) or (is_windows and runnable(mason .. ".cmd")) or nil
	return installed, installed and "mason"
end

--- The language of a locale such as `ja_JP.UTF-8`, as a client sends it: `ja-JP`.
---@param locale string
---@return string? tag nil for one without a language, such as `C`.
function M.tag(locale)
	local tag = locale:gsub("[.@].*$", ""):gsub("_", "-")
	return tag:find("^%a%a%a?%f[^%a]") and tag or nil
end

--- The command that starts the server for a root.
---@param root string?
---@return string[]? cmd
---@return string? where
function M.command(root)
	local given = require("handoff.options").get().cmd
	if given then
		return given, "vim.g.handoff.cmd"
	end
	local program, where = find(root)
	return program and { program, "server" }, where
end

--- The command that answers once about a text, for a root: with the arguments behind it instead of `server`.
---@param root string
---@param arguments string[]
---@return string[]? command nil where there is no server, or none without a question to the user.
---@return boolean? unknown Whether there is one that cannot be asked: `cmd` is the user's own, without `server` in it.
function M.question(root, arguments)
	local config = vim.lsp.config[M.NAME]
	local given = config and type(config.cmd) == "table" and config.cmd or require("handoff.options").get().cmd
	if not given then
		local program = find(root, true)
		return program and vim.list_extend({ program }, arguments)
	end
	for at = #given, 2, -1 do
		if given[at] == "server" then
			return vim.list_extend(vim.list_slice(given, 1, at - 1), arguments)
		end
	end
	return nil, true
end

--- What to do where there is no server.
---@param root string?
---@return string
function M.missing(root)
	local lines = {
		("handoff-lsp: no `%s` on PATH, so handoffs are not checked."):format(M.PROGRAM),
		"Install it with `uv tool install .` or `pipx install .` in a clone, or set vim.g.handoff = { cmd = … }.",
	}
	if M.in_venv(root) then
		lines[#lines + 1] =
			"This project's .venv has one: vim.g.handoff = { venv = true } uses it, if you trust the project."
	end
	lines[#lines + 1] = "Then `:edit` the file again. `:checkhealth handoff` shows more."
	return table.concat(lines, "\n")
end

--- Whether the missing server was reported; an explicit request reports it again.
M.told = false

--- Whether there is a server for a root; a missing one is reported once.
---@param root string
---@return boolean
function M.available(root)
	local config = vim.lsp.config[M.NAME]
	if config and type(config.cmd) == "table" then
		return true -- the user's own, which Neovim looks at
	end
	local cmd = M.command(root)
	if cmd and vim.fn.executable(cmd[1]) == 1 then
		return true
	end
	if not M.told then
		M.told = true
		local text = cmd and ("handoff-lsp: `%s` of vim.g.handoff.cmd cannot be run."):format(cmd[1]) or M.missing(root)
		vim.notify(text, vim.log.levels.WARN)
	end
	return false
end

--- |lsp-config| `cmd`.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@param config? vim.lsp.ClientConfig
---@return vim.lsp.rpc.PublicClient
function M.start(dispatchers, config)
	config = config or {}
	local cmd = M.command(config.root_dir) or error(M.missing(config.root_dir), 0)
	return vim.lsp.rpc.start(cmd, dispatchers, {
		cwd = config.cmd_cwd,
		env = config.cmd_env,
		detached = config.detached,
	})
end

--- The client of a buffer.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.client(bufnr)
	return vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr or 0 })[1]
end

return M
