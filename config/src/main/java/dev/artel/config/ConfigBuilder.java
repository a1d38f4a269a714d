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
        Optional<Path> key,
        Optional<Path> authorities,
        Optional<String> clientCertificates) {
    /// The program does actions itself; an orchestrator inside another program does so if that asks for it.
    static final ConfigBuilder EMPTY =
            new ConfigBuilder(
                    ServerConfig.DEFAULTS.withActions(ActionSettings.DEFAULTS.withEnabled(true)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    ConfigBuilder with(ServerConfig other) {
        return new ConfigBuilder(
                other, clientToken, workerToken, certificate, key, authorities, clientCertificates);
    }

    ConfigBuilder withClientToken(String token) {
        return new ConfigBuilder(
                config,
                Optional.of(token),
                workerToken,
                certificate,
                key,
                authorities,
                clientCertificates);
    }

    ConfigBuilder withWorkerToken(String token) {
        return new ConfigBuilder(
                config,
                clientToken,
                Optional.of(token),
                certificate,
                key,
                authorities,
                clientCertificates);
    }

    ConfigBuilder withCertificate(Path file) {
        return new ConfigBuilder(
                config,
                clientToken,
                workerToken,
                Optional.of(file),
                key,
                authorities,
                clientCertificates);
    }

    ConfigBuilder withKey(Path file) {
        return new ConfigBuilder(
                config,
                clientToken,
                workerToken,
                certificate,
                Optional.of(file),
                authorities,
                clientCertificates);
    }

    ConfigBuilder withAuthorities(Path file) {
        return new ConfigBuilder(
                config,
                clientToken,
                workerToken,
                certificate,
                key,
                Optional.of(file),
                clientCertificates);
    }

    ConfigBuilder withClientCertificates(String mode) {
        return new ConfigBuilder(
                config, clientToken, workerToken, certificate, key, authorities, Optional.of(mode));
    }
}
