package dev.artel.config;

import java.util.Optional;

/// The front door.
///
/// @param tls empty: plain HTTP
/// @param webhooks who is called through it from inside
/// @param operations how it is watched
/// @param redis where tasks are left for it
/// @param zeromq workers on ZeroMQ
/// @param mindbus agents on RabbitMQ
public record IngressSettings(
        Optional<TlsSettings> tls,
        ProxySettings proxy,
        AccessSettings access,
        LogSettings logs,
        WebhookSettings webhooks,
        OperationsSettings operations,
        RedisSettings redis,
        ZeroMqSettings zeromq,
        MindBusSettings mindbus) {
    /// Plain HTTP, no proxy, the files of the data folder.
    public static final IngressSettings DEFAULTS =
            new IngressSettings(
                    Optional.empty(),
                    ProxySettings.DEFAULTS,
                    AccessSettings.DEFAULTS,
                    LogSettings.DEFAULTS,
                    WebhookSettings.DEFAULTS,
                    OperationsSettings.DEFAULTS,
                    RedisSettings.DEFAULTS,
                    ZeroMqSettings.DEFAULTS,
                    MindBusSettings.DEFAULTS);

    /// These settings with TLS.
    public IngressSettings withTls(TlsSettings other) {
        return new IngressSettings(
                Optional.of(other),
                proxy,
                access,
                logs,
                webhooks,
                operations,
                redis,
                zeromq,
                mindbus);
    }

    /// These settings with another proxy.
    public IngressSettings withProxy(ProxySettings other) {
        return new IngressSettings(
                tls, other, access, logs, webhooks, operations, redis, zeromq, mindbus);
    }

    /// These settings with other callers.
    public IngressSettings withAccess(AccessSettings other) {
        return new IngressSettings(
                tls, proxy, other, logs, webhooks, operations, redis, zeromq, mindbus);
    }

    /// These settings with other logs.
    public IngressSettings withLogs(LogSettings other) {
        return new IngressSettings(
                tls, proxy, access, other, webhooks, operations, redis, zeromq, mindbus);
    }

    /// These settings with other webhooks.
    public IngressSettings withWebhooks(WebhookSettings other) {
        return new IngressSettings(
                tls, proxy, access, logs, other, operations, redis, zeromq, mindbus);
    }

    /// These settings watched in another way.
    public IngressSettings withOperations(OperationsSettings other) {
        return new IngressSettings(
                tls, proxy, access, logs, webhooks, other, redis, zeromq, mindbus);
    }

    /// These settings with another Redis.
    public IngressSettings withRedis(RedisSettings other) {
        return new IngressSettings(
                tls, proxy, access, logs, webhooks, operations, other, zeromq, mindbus);
    }

    /// These settings with others for workers on ZeroMQ.
    public IngressSettings withZeroMq(ZeroMqSettings other) {
        return new IngressSettings(
                tls, proxy, access, logs, webhooks, operations, redis, other, mindbus);
    }

    /// These settings with others for agents on RabbitMQ.
    public IngressSettings withMindBus(MindBusSettings other) {
        return new IngressSettings(
                tls, proxy, access, logs, webhooks, operations, redis, zeromq, other);
    }
}
