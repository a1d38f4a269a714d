package dev.artel.config;

import java.nio.file.Path;
import java.util.Optional;

/// The certificate under which the orchestrator listens, and those that it asks its callers for. All files are PEM and reloaded on request.
///
/// @param certificate the chain, the orchestrator's own certificate first
/// @param key its private key (PKCS#8, not encrypted)
/// @param callers whose certificates name callers; empty: none is asked for
public record TlsSettings(Path certificate, Path key, Optional<Callers> callers) {
    /// TLS that asks for no certificates.
    public TlsSettings(Path certificate, Path key) {
        this(certificate, key, Optional.empty());
    }

    /// The certificates of workers and clients.
    ///
    /// @param authorities the certificates of the authorities that sign them
    /// @param areRequired whether nobody connects without one
    public record Callers(Path authorities, boolean areRequired) {}

    /// The same, which asks for certificates that `authorities` have signed.
    public TlsSettings withCallers(Path authorities, boolean areRequired) {
        return new TlsSettings(
                certificate, key, Optional.of(new Callers(authorities, areRequired)));
    }
}
