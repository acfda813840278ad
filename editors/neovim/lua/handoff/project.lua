--- Where a project begins, and what its config names.
local M = {}

local CONFIG = ".handoff-lsp.toml"
local SHARED_CONFIG, TABLE = "pyproject.toml", "[tool.handoff-lsp"

---@class handoff.Config
---@field path? string The file that it stands in.
---@field own_formats boolean Whether it names contract files: then any Markdown file may be a handoff.
---@field private folder string
---@field private globs vim.lpeg.Pattern[]
local Config = {}
Config.__index = Config

--- Whether the config names a file, in one of its patterns.
---@param path string
---@return boolean
function Config:names(path)
	local relative = vim.fs.relpath(self.folder, path)
	return relative ~= nil and vim.iter(self.globs):any(function(glob)
		return glob:match(relative) ~= nil
	end)
end

---@param path string
---@return string? text
local function read(path)
	local file = io.open(path, "r")
	if not file then
		return nil
	end
	local text = file:read("*a")
	file:close()
	return text
end

--- The config of a folder. Only what decides about attaching is looked for; the server reads the whole.
---@param folder string
---@return handoff.Config
function M.config(folder)
	local path = vim.fs.joinpath(folder, CONFIG)
	local text = read(path)
	if not text then
		path = vim.fs.joinpath(folder, SHARED_CONFIG)
		local shared = read(path) or ""
		local at = shared:find(TABLE, 1, true)
		text = at and shared:sub(at) or ""
	end
	local globs = {}
	for line in vim.gsplit(text, "\n") do
		local pattern = line:match("^%s*pattern%s*=%s*[\"'](.-)[\"']") or line:match("{.*pattern%s*=%s*[\"'](.-)[\"']")
		if pattern then
			-- As in a .gitignore, a name alone is one in any folder.
			local ok, glob = pcall(vim.glob.to_lpeg, pattern:find("/", 1, true) and pattern or "**/" .. pattern)
			globs[#globs + 1] = ok and glob or nil
		end
	end
	local own_formats = text:find("^%s*contract%-files") ~= nil or text:find("\n%s*contract%-files") ~= nil
	local found = { folder = folder, path = text ~= "" and path or nil, globs = globs, own_formats = own_formats }
	return setmetatable(found, Config)
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
