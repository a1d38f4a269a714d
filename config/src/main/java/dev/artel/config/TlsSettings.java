package dev.artel.config;

import java.nio.file.Path;

/// The certificate under which the orchestrator listens. Both files are PEM and reloaded on request.
///
/// @param certificate the chain, the orchestrator's own certificate first
/// @param key its private key (PKCS#8, not encrypted)
public record TlsSettings(Path certificate, Path key) {}
