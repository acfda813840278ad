--- `:checkhealth handoff`
local M = {}

local server = require("handoff.server")

-- The time limit for the server's version (ms).
local PATIENCE = 10000

local function check_neovim()
	vim.health.start("handoff: Neovim")
	local version = tostring(vim.version())
	if vim.fn.has("nvim-0.11") == 1 then
		vim.health.ok(version)
	else
		vim.health.error(version .. ": 0.11 or newer is needed, for `vim.lsp.enable()`")
	end
	if not vim.lsp.is_enabled or vim.lsp.is_enabled(server.NAME) then
		vim.health.ok(('`vim.lsp.enable("%s")`'):format(server.NAME))
	else
		vim.health.warn(
			"The server is not enabled",
			('vim.lsp.enable("%s"), or require("handoff").setup()'):format(server.NAME)
		)
	end
	local cmd = vim.lsp.config[server.NAME] and vim.lsp.config[server.NAME].cmd
	if type(cmd) == "table" then
		vim.health.info("cmd is the user's own: " .. table.concat(cmd, " "))
	end
end

---@param command string[]
---@return boolean ran
---@return string text
local function run(command)
	local ok, process = pcall(vim.system, command, { text = true, timeout = PATIENCE })
	if not ok then
		return false, tostring(process)
	end
	local result = process:wait()
	return result.code == 0, vim.trim(result.code == 0 and result.stdout or result.stderr)
end

---@param root string
local function check_server(root)
	vim.health.start("handoff: server")
	local cmd, where = server.command(root)
	if not cmd then
		vim.health.error("No server", vim.split(server.missing(root), "\n"))
		return
	end
	vim.health.ok(("`%s` (%s)"):format(table.concat(cmd, " "), where))
	local ran, text = run({ cmd[1], "--version" })
	if ran then
		vim.health.ok(text)
	else
		vim.health.error(("`%s --version` failed: %s"):format(cmd[1], text))
	end
end

---@param client vim.lsp.Client
local function check_client(client)
	local info = client.server_info or {}
	local about = ("%s %s, process of client %d"):format(info.name or "?", info.version or "?", client.id)
	vim.health.ok(about)
	vim.health.info("root: " .. (client.root_dir or "none"))
	vim.health.info("position encoding: " .. client.offset_encoding)
	for bufnr in pairs(client.attached_buffers) do
		vim.health.info("attached: " .. vim.api.nvim_buf_get_name(bufnr))
	end
	local answer = client:request_sync("workspace/executeCommand", {
		command = "handoff.doctor",
		arguments = {},
	}, PATIENCE)
	local report = answer and not answer.err and answer.result
	if report then
		vim.health.info(("Python %s: %s"):format(report.server.python, report.server.executable))
	end
end

---@param root string
local function check_project(root)
	vim.health.start("handoff: this project")
	vim.health.info("root: " .. root)
	vim.health.info("config: " .. (require("handoff.project").config(root) or "none, the defaults count"))
	if server.in_venv(root) then
		vim.health.info(
			"its .venv has a server: " .. vim.inspect(require("handoff.options").get().venv) .. " is `venv`"
		)
	end
end

function M.check()
	-- Where `:checkhealth` was given; it shows a buffer of its own.
	local bufnr = vim.fn.bufnr("#") > 0 and vim.fn.bufnr("#") or vim.api.nvim_get_current_buf()
	local root = vim.api.nvim_buf_get_name(bufnr) ~= "" and require("handoff.project").root(bufnr) or vim.fn.getcwd()
	check_neovim()
	check_server(root)
	vim.health.start("handoff: clients")
	local clients = vim.lsp.get_clients({ name = server.NAME })
	for _, client in ipairs(clients) do
		check_client(client)
	end
	if #clients == 0 then
		vim.health.info("None: no buffer is a handoff. `:help handoff-attaching` explains why.")
	end
	check_project(root)
end

return M
