--- `:Handoff`, a command with subcommands.
local M = {}

local request = require("handoff.request")
local server = require("handoff.server")

---@class handoff.Subcommand
---@field about string
---@field anywhere? boolean Whether it makes sense where nothing is attached.
---@field run fun(arguments: string[], client: vim.lsp.Client?)
---@field complete? fun(client: vim.lsp.Client?, before: string[]): string[]

---@param lines string[]
---@param filetype string
local function show_scratch(lines, filetype)
	vim.cmd("botright new")
	vim.bo.buftype = "nofile"
	vim.bo.bufhidden = "wipe"
	vim.bo.swapfile = false
	vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
	vim.bo.filetype = filetype
	vim.bo.modified = false
end

--- Write a file that the server has had made: what it put there is in a buffer only.
---@param path string
local function write(path)
	vim.api.nvim_buf_call(vim.uri_to_bufnr(vim.uri_from_fname(path)), function()
		vim.cmd.write({ bang = true, mods = { silent = true } })
	end)
end

local function here()
	return { uri = vim.uri_from_bufnr(0) }
end

---@param key string
local function field_of(key)
	return function(item)
		return item[key]
	end
end

---@return string? code Of the diagnostic under the cursor.
local function rule_here()
	local line = vim.api.nvim_win_get_cursor(0)[1] - 1
	for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = line })) do
		if diagnostic.source == server.PROGRAM then
			return tostring(diagnostic.code)
		end
	end
end

--- Apply all safe fixes, or say why none can be applied.
---@param client vim.lsp.Client
local function fix_all(client)
	local bufnr = vim.api.nvim_get_current_buf()
	local asked = vim.lsp.util.make_range_params(0, client.offset_encoding)
	asked.context = { only = { "source.fixAll.handoff" }, diagnostics = {}, triggerKind = 1 }
	client:request("textDocument/codeAction", asked, function(failure, actions)
		if failure then
			request.tell(failure.message, vim.log.levels.ERROR)
		elseif actions and actions[1] then
			require("handoff.choose").apply(client, actions[1], bufnr)
		else
			local count = #vim.tbl_filter(function(diagnostic)
				return diagnostic.source == server.PROGRAM
			end, vim.diagnostic.get(bufnr))
			local findings = count == 1 and "1 finding needs" or ("%d findings need"):format(count)
			request.tell(count == 0 and "nothing to fix" or ("nothing to fix safely: %s your decision"):format(findings))
		end
	end, bufnr)
end

---@type table<string, handoff.Subcommand>
local subcommands = {
	new = {
		about = "a new handoff, by the path of the file: new [contract [profile]]",
		anywhere = true,
		run = function(arguments)
			require("handoff.new").run(arguments[1], arguments[2])
		end,
		complete = function(client, before)
			-- Before a server runs: the built-in contracts.
			local profiles = vim.tbl_extend("force", {}, require("handoff.places").profiles)
			for _, contract in ipairs(request.soon(client, "listContracts")) do
				profiles[contract.name] = vim.tbl_map(field_of("name"), contract.profiles)
			end
			local found = #before == 0 and vim.tbl_keys(profiles) or profiles[before[1]] or {}
			if #before == 0 then
				table.sort(found)
			end
			return #before > 1 and {} or found
		end,
	},
	insert = {
		about = "what this handoff lacks, or a new one at the cursor",
		run = function(_, client)
			local argument = here()
			argument.position = vim.lsp.util.make_position_params(0, client.offset_encoding).position
			-- The contract of the existing text decides, or else the path, or the server asks.
			local about = vim.tbl_extend("error", argument, { quiet = true })
			request.ask(client, "showRouting", about, function(found)
				local one = found[1] or {}
				argument.contract, argument.profile = one.contract, one.profile
				request.ask(client, "insertTemplate", argument)
			end)
		end,
	},
	fix = {
		about = "apply all safe fixes",
		run = function(_, client)
			fix_all(client)
		end,
	},
	routing = {
		about = "what the orchestrator does with this handoff",
		run = function(_, client)
			request.ask(client, "showRouting", here())
		end,
	},
	prompt = {
		about = "what this prompt has its agent write, who reads that, and its findings",
		run = function(_, client)
			require("handoff.prompt").show(client, here().uri)
		end,
	},
	check = {
		about = "all handoffs of the workspace: how many findings there are",
		run = function(_, client)
			request.ask(client, "checkWorkspace")
		end,
	},
	list = {
		about = "all handoffs of the workspace, in the quickfix list",
		run = function(_, client)
			request.ask(client, "listHandoffs", nil, require("handoff.overview").show)
		end,
	},
	explain = {
		about = "a rule, a contract, a field or a value; without a name the finding here: explain [topic]",
		run = function(arguments, client)
			local topic = arguments[1] or rule_here()
			if not topic then
				request.tell("nothing is found on this line; name what is to be explained")
				return
			end
			request.ask(client, "explain", { topic = topic }, function(answer)
				local lines = vim.split(answer.markdown, "\n", { trimempty = true })
				vim.lsp.util.open_floating_preview(lines, "markdown", { focus_id = "handoff.explain", max_width = 120 })
			end)
		end,
		complete = function(client)
			return vim.tbl_map(field_of("topic"), request.soon(client, "listTopics"))
		end,
	},
	export = {
		about = "this handoff as JSON: export [path within the workspace]",
		run = function(arguments, client)
			local argument = vim.tbl_extend("error", here(), { to = arguments[1] })
			request.ask(client, "exportJson", argument, function(answer)
				if arguments[1] then
					write(vim.fs.joinpath(client.root_dir, arguments[1]))
					request.tell("written to " .. arguments[1])
				else
					show_scratch(vim.tbl_map(vim.json.encode, answer), "json")
				end
			end)
		end,
		complete = function()
			return {}
		end,
	},
	status = {
		about = "status and decision, as a statusline has it",
		run = function(_, client)
			require("handoff.status").tell(client, vim.api.nvim_get_current_buf())
		end,
	},
	doctor = {
		about = "a report to copy: versions, what was negotiated, what this file was recognized as and why",
		anywhere = true,
		run = function(_, client)
			if not client then
				vim.cmd.checkhealth("handoff")
				return
			end
			request.ask(client, "doctor", here(), function(answer)
				show_scratch(vim.split(answer.report, "\n"), "markdown")
			end)
		end,
	},
	restart = {
		about = "the server",
		anywhere = true,
		run = function()
			require("handoff.restart").restart()
		end,
	},
	log = {
		about = "what the server has logged",
		anywhere = true,
		run = function()
			vim.cmd.tabnew(vim.fn.fnameescape(vim.lsp.log.get_filename()))
			vim.cmd.normal({ "G", bang = true })
		end,
	},
}

---@param client vim.lsp.Client?
---@return string[]
local function names(client)
	local found = vim.tbl_filter(function(name)
		return client ~= nil or subcommands[name].anywhere == true
	end, vim.tbl_keys(subcommands))
	table.sort(found)
	return found
end

---@param given vim.api.keyset.create_user_command.command_args
function M.run(given)
	local arguments = vim.list_slice(given.fargs, 2)
	local subcommand = subcommands[given.fargs[1]]
	local client = server.client()
	local there_are = table.concat(names(client), ", ")
	if not given.fargs[1] then
		request.tell("`:Handoff` does one of " .. there_are)
	elseif not subcommand then
		local text = ("there is no `:Handoff %s`; there are %s"):format(given.fargs[1], there_are)
		request.tell(text, vim.log.levels.ERROR)
	elseif not client and not subcommand.anywhere then
		request.tell("no server is attached here: `:Handoff restart`, `:checkhealth handoff`", vim.log.levels.WARN)
	else
		subcommand.run(arguments, client)
	end
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
	local before = vim.split(vim.trim(line:sub(1, #line - #lead)), "%s+")
	table.remove(before, 1) -- :Handoff
	local client = server.client()
	local offered
	if #before == 0 then
		offered = names(client)
	else
		local subcommand = subcommands[table.remove(before, 1)]
		offered = subcommand and subcommand.complete and subcommand.complete(client, before) or {}
	end
	return vim.tbl_filter(function(name)
		return vim.startswith(name, lead)
	end, offered)
end

return M
