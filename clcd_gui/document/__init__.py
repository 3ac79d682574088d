"""The open analysis and its words: table, settings, findings, selection, history; QtCore only."""
