-- Generated from schemas/contracts by `make generate`: where handoffs usually are.
return {
	globs = {
		"**/.agent/activity.log",
		"**/gaia-context-payloads/*.json",
		"**/.agent/status.json",
		"docs/design-notes/*.md",
		"**/docs/DELIVERY_RESULT.md",
		"**/DELIVERY_RESULT.md",
		"**/docs/DISCOVERY_RESULT.md",
		"**/DISCOVERY_RESULT.md",
		"**/docs/DOC_FLOW_RESULT.md",
		"**/DOC_FLOW_RESULT.md",
		"**/docs/MAINTENANCE_RESULT.md",
		"**/MAINTENANCE_RESULT.md",
		"**/docs/OPS_RESULT.md",
		"**/OPS_RESULT.md",
		"**/openspec/changes/**/*.md",
		"**/handoffs/**/*.md",
		"**/*-handoff.md",
		"**/*-handoff-template.md",
		"**/build-plan-command.md",
	},
	logs = {
		"activity.log",
	},
}
