package dev.artel.worker.link;

import dev.artel.worker.wire.OrchestratorResponse;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How a worker talks to its orchestrators.
///
/// @param heartbeat the longest silence
/// @param heartbeatSpacing the shortest time between two heartbeats, however much changes
/// @param debounce how long a change waits for further ones before it is sent
/// @param poll how long an idle poll may take; above the time for which orchestrators hold it, which is 30 s
/// @param request how long any other request may take
/// @param lease how long to hold a task without a renewal, as far as the orchestrator agrees
/// @param silenceAfterRefusal how long to leave alone an orchestrator that answered 429 without a time
/// @param maxBatch the most results in one request
/// @param backoff what to wait after a failed request
/// @param registrationBackoff what to wait after a failed registration
/// @param websocket whether to keep a socket for cancels and progress
/// @param inline parameters with more bytes are fetched as files; below 0: all come in messages
/// @param tls for `https` and `wss`; null for that of the Java runtime
public record LinkSettings(
        Duration heartbeat,
        Duration heartbeatSpacing,
        Duration debounce,
        Duration poll,
        Duration request,
        Duration lease,
        Duration silenceAfterRefusal,
        int maxBatch,
        Backoff backoff,
        Backoff registrationBackoff,
        boolean websocket,
        int inline,
        @Nullable SSLContext tls) {
    /// What suits most workers.
    public static final LinkSettings DEFAULTS =
            new LinkSettings(
                    Duration.ofSeconds(15),
                    Duration.ofMillis(600),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(35),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(65),
                    100,
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10)),
                    new Backoff(Duration.ofMillis(500), Duration.ofSeconds(60)),
                    false,
                    -1,
                    null);

    /// How long to leave the orchestrator alone after a 429. One of the first generation begins to count anew with
    /// every request, so that nothing but a long silence helps.
    Duration silence(OrchestratorResponse refusal, ProtocolVersion protocolVersion, int failures) {
        var named = refusal.retryAfter();
        if (named != null) {
            return named;
        }
        return switch (protocolVersion) {
            case PLAIN -> silenceAfterRefusal;
            case LEASED -> backoff.after(failures);
        };
    }

    /// These settings with another way to speak TLS.
    public LinkSettings withTls(SSLContext other) {
        return new LinkSettings(
                heartbeat,
                heartbeatSpacing,
                debounce,
                poll,
                request,
                lease,
                silenceAfterRefusal,
                maxBatch,
                backoff,
                registrationBackoff,
                websocket,
                inline,
                other);
    }

    /// These settings with another longest silence between heartbeats.
    public LinkSettings withHeartbeat(Duration interval) {
        return new LinkSettings(
                interval,
                heartbeatSpacing,
                debounce,
                poll,
                request,
                lease,
                silenceAfterRefusal,
                maxBatch,
                backoff,
                registrationBackoff,
                websocket,
                inline,
                tls);
    }

    /// These settings with another longest poll.
    public LinkSettings withPoll(Duration longest) {
        return new LinkSettings(
                heartbeat,
                heartbeatSpacing,
                debounce,
                longest,
                request,
                lease,
                silenceAfterRefusal,
                maxBatch,
                backoff,
                registrationBackoff,
                websocket,
                inline,
                tls);
    }

    /// These settings with another lease.
    public LinkSettings withLease(Duration wanted) {
        return new LinkSettings(
                heartbeat,
                heartbeatSpacing,
                debounce,
                poll,
                request,
                wanted,
                silenceAfterRefusal,
                maxBatch,
                backoff,
                registrationBackoff,
                websocket,
                inline,
                tls);
    }

    /// These settings with a longest wait after any failure.
    public LinkSettings withLongestBackoff(Duration longest) {
        return new LinkSettings(
                heartbeat,
                heartbeatSpacing,
                debounce,
                poll,
                request,
                lease,
                silenceAfterRefusal,
                maxBatch,
                backoff.upTo(longest),
                registrationBackoff.upTo(longest),
                websocket,
                inline,
                tls);
    }

    /// These settings with a socket.
    public LinkSettings withWebsocket() {
        return new LinkSettings(
                heartbeat,
                heartbeatSpacing,
                debounce,
                poll,
                request,
                lease,
                silenceAfterRefusal,
                maxBatch,
                backoff,
                registrationBackoff,
                true,
                inline,
                tls);
    }

    /// These settings with larger parameters as files.
    public LinkSettings withInline(int bytes) {
        return new LinkSettings(
                heartbeat,
                heartbeatSpacing,
                debounce,
                poll,
                request,
                lease,
                silenceAfterRefusal,
                maxBatch,
                backoff,
                registrationBackoff,
                websocket,
                bytes,
                tls);
    }
}
