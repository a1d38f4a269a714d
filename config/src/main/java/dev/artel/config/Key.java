package dev.artel.config;

import java.util.Locale;

/// A setting that can be set in a file, by a variable or by a flag.
///
/// @param name as in a file: `http.port`
/// @param meaning for the manual
/// @param change takes a value into the settings, or refuses it with an [IllegalArgumentException]
record Key(String name, String meaning, Change change) {
    /// Takes a value into the settings.
    interface Change {
        ConfigBuilder apply(ConfigBuilder configBuilder, String value);
    }

    /// `ARTEL_HTTP_PORT`; what is set often has a shorter one.
    String variable() {
        return switch (name) {
            case "http.port" -> "ARTEL_PORT";
            case "http.host" -> "ARTEL_HOST";
            case "tokens.client" -> "ARTEL_CLIENT_TOKEN";
            case "tokens.worker" -> "ARTEL_WORKER_TOKEN";
            case "logs.level" -> "ARTEL_LOG_LEVEL";
            case "logs.format" -> "ARTEL_LOG_FORMAT";
            default -> "ARTEL_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        };
    }

    /// `--http.idle-timeout`; what is set often has a shorter one.
    String flag() {
        return switch (name) {
            case "http.port" -> "--port";
            case "http.host" -> "--host";
            case "blueprints.strict" -> "--strict";
            case "blueprints.cards" -> "--cards";
            case "logs.level" -> "--log-level";
            case "logs.format" -> "--log-format";
            case "operations.listen" -> "--operations-listen";
            case "backup.to" -> "--backup-to";
            case "backup.every" -> "--backup-every";
            default -> "--" + name;
        };
    }

    /// Whether its flag alone means yes.
    boolean isSwitch() {
        return name.equals("blueprints.strict");
    }

    /// Whether its value is shown to no one: a secret, or the key of an account.
    boolean isHidden() {
        return isSecret() || (name.endsWith("-key") && !name.endsWith("public-key"));
    }

    /// Whether its value must not appear on a command line, which others can read.
    boolean isSecret() {
        return name.startsWith("tokens.")
                || name.endsWith("secret-key")
                || name.endsWith(".metrics-token")
                || name.equals("actions.llm-key")
                || name.equals("traces.otlp-headers");
    }
}
