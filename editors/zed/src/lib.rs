//! Starts the language server `handoff-lsp` for Zed: the one of the settings, else the one on PATH.

use zed_extension_api::{
    self as zed, serde_json, settings::LspSettings, Command, LanguageServerId, Result, Worktree,
};

const SERVER: &str = "handoff-lsp";

struct HandoffExtension;

impl zed::Extension for HandoffExtension {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let binary = LspSettings::for_worktree(SERVER, worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments, env) = match binary {
            Some(binary) => (binary.path, binary.arguments, binary.env),
            None => (None, None, None),
        };
        let command = path
            .or_else(|| worktree.which(SERVER))
            .ok_or("handoff-lsp is not on PATH: install it with `pipx install .` in a clone, or set lsp.handoff-lsp.binary.path")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["server".into()]),
            env: env.unwrap_or_default().into_iter().collect(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(SERVER, worktree)
            .ok()
            .and_then(|settings| settings.settings)
            .unwrap_or_default();
        Ok(Some(serde_json::json!({ SERVER: settings })))
    }
}

zed::register_extension!(HandoffExtension);
