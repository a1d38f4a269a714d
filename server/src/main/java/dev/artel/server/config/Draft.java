package dev.artel.server.config;

import java.nio.file.Path;
import java.util.Optional;

/// Settings in the making: what belongs together may come one after the other.
///
/// @param config what is complete
record Draft(
        ServerConfig config,
        Optional<String> clientToken,
        Optional<String> workerToken,
        Optional<Path> certificate,
        Optional<Path> key) {
    static final Draft EMPTY =
            new Draft(
                    ServerConfig.DEFAULTS,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    Draft with(ServerConfig other) {
        return new Draft(other, clientToken, workerToken, certificate, key);
    }

    Draft withClientToken(String token) {
        return new Draft(config, Optional.of(token), workerToken, certificate, key);
    }

    Draft withWorkerToken(String token) {
        return new Draft(config, clientToken, Optional.of(token), certificate, key);
    }

    Draft withCertificate(Path file) {
        return new Draft(config, clientToken, workerToken, Optional.of(file), key);
    }

    Draft withKey(Path file) {
        return new Draft(config, clientToken, workerToken, certificate, Optional.of(file));
    }
}
