package dev.artel.server.config;

import java.util.Optional;

/// The front door.
///
/// @param tls empty: plain HTTP
public record DoorSettings(
        Optional<TlsSettings> tls, ProxySettings proxy, AccessSettings access, LogSettings logs) {
    /// Plain HTTP, no proxy, the files of the data folder.
    public static final DoorSettings DEFAULTS =
            new DoorSettings(
                    Optional.empty(),
                    ProxySettings.DEFAULTS,
                    AccessSettings.DEFAULTS,
                    LogSettings.DEFAULTS);

    /// These settings with TLS.
    public DoorSettings withTls(TlsSettings other) {
        return new DoorSettings(Optional.of(other), proxy, access, logs);
    }

    /// These settings with another proxy.
    public DoorSettings withProxy(ProxySettings other) {
        return new DoorSettings(tls, other, access, logs);
    }

    /// These settings with other callers.
    public DoorSettings withAccess(AccessSettings other) {
        return new DoorSettings(tls, proxy, other, logs);
    }

    /// These settings with other logs.
    public DoorSettings withLogs(LogSettings other) {
        return new DoorSettings(tls, proxy, access, other);
    }
}
