--- A cheap look at a buffer: may it be a handoff? What it really is the server decides, which is silent about the rest.
local M = {}

---@class handoff.Cluster Names of which several together may be a handoff.
---@field of string
---@field enough integer
---@field names table<string, string> What is written, and which field that is.
---@field weights? table<string, integer>
---@field needs? string[] Fields that must be among them.
---@field telling? string[] Fields of which one must be.
---@field heading? string A pattern that one heading must match.

---@class handoff.Signs
---@field globs string[] Where handoffs usually are, from the root.
---@field not_paths string[]
---@field headings string[]
---@field lines string[]
---@field tags string[]
---@field comments string[]
---@field clusters handoff.Cluster[]
---@field files table<string, string[]>
---@field logs string[]

-- Of a longer document, so many lines at its beginning and at its end are read.
local MOST_LINES = 2000
-- Nothing that is looked for stands beyond so many bytes of a line.
local LONGEST_LINE = 400

---@type table<string, vim.regex>
local compiled = {}

---@param patterns string[]
---@param text string
local function any_matches(patterns, text)
	for _, pattern in ipairs(patterns) do
		compiled[pattern] = compiled[pattern] or vim.regex(pattern)
		if compiled[pattern]:match_str(text) then
			return true
		end
	end
	return false
end

--- A name without what people write around it: numbers, emoji, emphasis, a remark in parentheses.
---@param name string
---@return string
local function fold(name)
	local folded = name:lower():gsub("（.-）%s*$", ""):gsub("%s*%b()%s*$", "")
	folded = folded:gsub("^[\xe2\xf0][\x80-\xbf]+\xef?\xb8?\x8f?%s*", ""):gsub("^%d[%d.]*[.)]?%s+", "")
	return (folded:gsub("^[*_`\"'%s]+", ""):gsub("[*_`\"'%s:]+$", ""):gsub("%s+", " "))
end

---@param seen table<string, true>
---@param headings string[]
---@param line string
local function note_names(seen, headings, line)
	line = line:gsub("：", ":"):gsub("^[>%s]+", "")
	local heading = line:match("^#+%s+(.+)")
	if heading then
		headings[#headings + 1] = heading
		line = heading
	elseif line:sub(1, 1) == "|" then
		for cell in line:gmatch("[^|]+") do
			seen[fold(cell)] = true
		end
	end
	line = line:gsub("^[-*+]%s+", "")
	for key in line:gmatch('"([%w_-]+)"%s*:') do
		seen[key:lower()] = true
	end
	seen[fold(line)] = true
	local key = line:match("^([^:]+):")
	if key then
		seen[fold(key)] = true
	end
end

---@param cluster handoff.Cluster
---@param seen table<string, true>
---@param headings string[]
local function has_cluster(cluster, seen, headings)
	local fields, total = {}, 0
	for written, field in pairs(cluster.names) do
		if seen[written] and not fields[field] then
			fields[field] = true
			total = total + (cluster.weights and cluster.weights[field] or 1)
		end
	end
	local function has(field)
		return fields[field] == true
	end
	if total < cluster.enough or (cluster.telling and not vim.iter(cluster.telling):any(has)) then
		return false
	end
	if cluster.needs and not vim.iter(cluster.needs):all(has) then
		return false
	end
	return not cluster.heading
		or vim.iter(headings):any(function(heading)
			return any_matches({ cluster.heading }, heading)
		end)
end

--- Whether a Markdown text bears signs of a handoff.
---@param lines string[]
---@return boolean
function M.text(lines)
	local signs = require("handoff.signs")
	local seen, headings = {}, {}
	for at, line in ipairs(lines) do
		line = line:sub(1, LONGEST_LINE)
		local comment = line:match("<!%-%-%s*([%w_-]+)")
		if comment == "handoff" or (comment and vim.list_contains(signs.comments, comment)) then
			return true
		end
		local tag = line:match("^[%s>]*[-*+]?%s*[`~][`~][`~]+%s*([%w_:.-]+)")
		if tag and vim.list_contains(signs.tags, (tag:gsub("-", "_"))) then
			return true
		end
		if line:find("[:：]") and any_matches(signs.lines, line) then
			return true
		end
		if line:find("^%s*[=-]+%s*$") and lines[at - 1] then
			headings[#headings + 1] = lines[at - 1]:sub(1, LONGEST_LINE)
		elseif line:find("%S") then
			note_names(seen, headings, line)
		end
	end
	return vim.iter(headings):any(function(heading)
		return any_matches(signs.headings, heading)
	end) or vim.iter(signs.clusters):any(function(cluster)
		return has_cluster(cluster, seen, headings)
	end)
end

---@type vim.lpeg.Pattern[]?
local globs

--- Whether handoffs are usually kept at a path.
---@param path string From the root, with `/`.
---@return boolean
function M.path(path)
	local signs = require("handoff.signs")
	globs = globs or vim.tbl_map(vim.glob.to_lpeg, signs.globs)
	return not any_matches(signs.not_paths, path)
		and vim.iter(globs):any(function(glob)
			return glob:match(path) ~= nil
		end)
end

---@param bufnr integer
---@return string[]
local function lines_of(bufnr)
	local count = vim.api.nvim_buf_line_count(bufnr)
	if count <= 2 * MOST_LINES then
		return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
	end
	local lines = vim.api.nvim_buf_get_lines(bufnr, 0, MOST_LINES, false)
	return vim.list_extend(lines, vim.api.nvim_buf_get_lines(bufnr, count - MOST_LINES, -1, false))
end

--- Whether a buffer may be a handoff.
---@param bufnr integer
---@param root string
---@return boolean
function M.buffer(bufnr, root)
	local own = require("handoff.options").get().attach
	local told = own and own(bufnr)
	if told ~= nil then
		return told
	end
	local path = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
	local config = require("handoff.project").config(root)
	if config:names(path) then
		return true
	end
	local filetype = vim.bo[bufnr].filetype
	if filetype == "json" or filetype == "jsonc" or filetype == "log" then
		return any_matches(require("handoff.signs").files[filetype == "log" and "log" or "json"], path)
	end
	return config.own_formats or M.path(vim.fs.relpath(root, path) or path) or M.text(lines_of(bufnr))
end

return M
