if vim.g.loaded_handoff then
	return
end
vim.g.loaded_handoff = true

local filenames = {}
for _, name in ipairs(require("handoff.places").logs) do
	filenames[name] = "log"
end
vim.filetype.add({ filename = filenames })

local group = vim.api.nvim_create_augroup("handoff", {})

vim.api.nvim_create_autocmd("LspAttach", {
	group = group,
	callback = function(event)
		local client = vim.lsp.get_client_by_id(event.data.client_id)
		if client and client.name == require("handoff.server").NAME then
			require("handoff.buffer").on_attach(client, event.buf)
		end
	end,
})

vim.api.nvim_create_autocmd("ColorScheme", {
	group = group,
	callback = function()
		require("handoff.colours").define()
	end,
})
require("handoff.colours").define()

-- What makes sense before anything is attached; a handoff has the whole of it as a command of its own.
vim.api.nvim_create_user_command("Handoff", function(given)
	require("handoff.commands").run(given)
end, {
	nargs = "*",
	desc = "Handoffs: new, doctor, restart, log",
	complete = function(...)
		return require("handoff.commands").complete(...)
	end,
})
