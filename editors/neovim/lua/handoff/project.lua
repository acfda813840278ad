--- Where a project begins, and where its config is.
local M = {}

local CONFIG = ".handoff-lsp.toml"
local SHARED_CONFIG, TABLE = "pyproject.toml", "[tool.handoff-lsp"

--- Whether a file is a config of ours.
---@param path string
---@param text fun(): string
---@return boolean
function M.is_config(path, text)
	local name = vim.fs.basename(path)
	return name == CONFIG or (name == SHARED_CONFIG and text():find(TABLE, 1, true) ~= nil)
end

--- The config file of a folder, for people: the server finds it by itself.
---@param folder string
---@return string?
function M.config(folder)
	local path = vim.fs.joinpath(folder, CONFIG)
	if vim.uv.fs_stat(path) then
		return path
	end
	path = vim.fs.joinpath(folder, SHARED_CONFIG)
	local file = io.open(path, "r")
	local text = file and file:read("*a") or ""
	if file then
		file:close()
	end
	return text:find(TABLE, 1, true) and path or nil
end

--- The root of the project that a file is in: where its config or its repository is, else the working directory that it
--- is in, else its folder.
---@param bufnr integer
---@return string
function M.root(bufnr)
	local root = vim.fs.root(bufnr, { CONFIG, ".git" })
	if root then
		return root
	end
	local path, here = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr)), vim.fs.normalize(vim.fn.getcwd())
	return vim.fs.relpath(here, path) and here or vim.fs.dirname(path)
end

return M
