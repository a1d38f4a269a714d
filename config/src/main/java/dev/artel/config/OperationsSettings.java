package dev.artel.config;

import java.util.Optional;

/// How programs that watch the orchestrator ask for its figures.
///
/// @param listen an address of their own, where no token is asked for; empty: they use that of clients and workers
/// @param metricsToken what who asks for figures at the address of clients and workers has to send; empty: nothing
/// @param traces where traces of jobs are sent
public record OperationsSettings(
        Optional<Listen> listen, Optional<Secret> metricsToken, TraceSettings traces) {
    /// At the address of clients and workers, without a token; no traces.
    public static final OperationsSettings DEFAULTS =
            new OperationsSettings(Optional.empty(), Optional.empty(), TraceSettings.DEFAULTS);

    /// An address and a port; 0: any free one.
    public record Listen(String host, int port) {
        /// `127.0.0.1:9464`, `[::1]:9464`.
        ///
        /// @throws IllegalArgumentException if it is none; the message is the end of a sentence
        static Listen of(String text) {
            var colon = text.lastIndexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException(
                        "must be ADDRESS:PORT such as 127.0.0.1:9464, was '" + text + "'");
            }
            var host = text.substring(0, colon);
            return new Listen(
                    host.startsWith("[") && host.endsWith("]")
                            ? host.substring(1, host.length() - 1)
                            : host,
                    SettingParsers.whole(text.substring(colon + 1), 0, 65_535));
        }
    }

    /// These settings with an address of their own.
    public OperationsSettings withListen(Listen other) {
        return new OperationsSettings(Optional.of(other), metricsToken, traces);
    }

    /// These settings with a token.
    public OperationsSettings withMetricsToken(Secret token) {
        return new OperationsSettings(listen, Optional.of(token), traces);
    }

    /// These settings with other traces.
    public OperationsSettings withTraces(TraceSettings other) {
        return new OperationsSettings(listen, metricsToken, other);
    }
}
