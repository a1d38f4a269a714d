package dev.artel.cli;

import java.util.Map;

/// What all commands of one run share.
record CliContext(CliOutput output, Map<String, String> environment) {}
