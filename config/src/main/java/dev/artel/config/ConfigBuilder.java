package dev.artel.config;

import java.nio.file.Path;
import java.util.Optional;

/// Settings in the making: what belongs together may come one after the other.
///
/// @param config what is complete
record ConfigBuilder(
        ServerConfig config,
        Optional<String> clientToken,
        Optional<String> workerToken,
        Optional<Path> certificate,
        Optional<Path> key) {
    /// The program does actions itself; an orchestrator inside another program does so if that asks for it.
    static final ConfigBuilder EMPTY =
            new ConfigBuilder(
                    ServerConfig.DEFAULTS.withActions(ActionSettings.DEFAULTS.withEnabled(true)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    ConfigBuilder with(ServerConfig other) {
        return new ConfigBuilder(other, clientToken, workerToken, certificate, key);
    }

    ConfigBuilder withClientToken(String token) {
        return new ConfigBuilder(config, Optional.of(token), workerToken, certificate, key);
    }

    ConfigBuilder withWorkerToken(String token) {
        return new ConfigBuilder(config, clientToken, Optional.of(token), certificate, key);
    }

    ConfigBuilder withCertificate(Path file) {
        return new ConfigBuilder(config, clientToken, workerToken, Optional.of(file), key);
    }

    ConfigBuilder withKey(Path file) {
        return new ConfigBuilder(config, clientToken, workerToken, certificate, Optional.of(file));
    }
}
