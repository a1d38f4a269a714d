package dev.artel.server.config;

import java.util.Optional;

/// The front door.
///
/// @param tls empty: plain HTTP
/// @param webhooks who is called through it from inside
/// @param operations how it is watched
public record DoorSettings(
        Optional<TlsSettings> tls,
        ProxySettings proxy,
        AccessSettings access,
        LogSettings logs,
        WebhookSettings webhooks,
        OperationsSettings operations) {
    /// Plain HTTP, no proxy, the files of the data folder.
    public static final DoorSettings DEFAULTS =
            new DoorSettings(
                    Optional.empty(),
                    ProxySettings.DEFAULTS,
                    AccessSettings.DEFAULTS,
                    LogSettings.DEFAULTS,
                    WebhookSettings.DEFAULTS,
                    OperationsSettings.DEFAULTS);

    /// These settings with TLS.
    public DoorSettings withTls(TlsSettings other) {
        return new DoorSettings(Optional.of(other), proxy, access, logs, webhooks, operations);
    }

    /// These settings with another proxy.
    public DoorSettings withProxy(ProxySettings other) {
        return new DoorSettings(tls, other, access, logs, webhooks, operations);
    }

    /// These settings with other callers.
    public DoorSettings withAccess(AccessSettings other) {
        return new DoorSettings(tls, proxy, other, logs, webhooks, operations);
    }

    /// These settings with other logs.
    public DoorSettings withLogs(LogSettings other) {
        return new DoorSettings(tls, proxy, access, other, webhooks, operations);
    }

    /// These settings with other webhooks.
    public DoorSettings withWebhooks(WebhookSettings other) {
        return new DoorSettings(tls, proxy, access, logs, other, operations);
    }

    /// These settings watched in another way.
    public DoorSettings withOperations(OperationsSettings other) {
        return new DoorSettings(tls, proxy, access, logs, webhooks, other);
    }
}
