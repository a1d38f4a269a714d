package dev.artel.worker.server.hub;

import java.time.Duration;

/// How long a hub waits for what. All spans are measured by a clock that only goes forward, and a pause of the process
/// counts for none of them.
///
/// @param heartbeatTimeout silence after which a worker is unhealthy; after three times as much it is dead
/// @param heartbeatInterval how often workers shall send heartbeats, as the acknowledgement states; the hub does not enforce it
/// @param healthCheckInterval how often the hub checks its workers at least
/// @param registrationTimeout how long a connection may stay without a valid registration
/// @param acceptTimeout how long a worker may take to confirm that it has a request
/// @param drainGrace how long a draining worker may finish its work, where it names no time
/// @param closeGrace how long a closing handshake may take before the transport is ended
/// @param retryAfter when a worker that is refused for now may try again, on average
/// @param requestDeadline how long a request may be in flight, where it names no time
/// @param maxAttempts how many workers may get a request, one after the other, where it names no number
public record HubTimes(
        Duration heartbeatTimeout,
        Duration heartbeatInterval,
        Duration healthCheckInterval,
        Duration registrationTimeout,
        Duration acceptTimeout,
        Duration drainGrace,
        Duration closeGrace,
        Duration retryAfter,
        Duration requestDeadline,
        int maxAttempts) {
    /// Timeout 60 s, heartbeats every 15 s, checks every 10 s, registration within 10 s, confirmation within 5 s, 60 s to
    /// drain, 5 s to close, 5 s before another try, requests for an hour with three workers.
    public static final HubTimes DEFAULTS =
            new HubTimes(
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofHours(1),
                    3);

    /// Refuses spans that are not positive.
    public HubTimes {
        positive("heartbeatTimeout", heartbeatTimeout);
        positive("heartbeatInterval", heartbeatInterval);
        positive("healthCheckInterval", healthCheckInterval);
        positive("registrationTimeout", registrationTimeout);
        positive("acceptTimeout", acceptTimeout);
        positive("drainGrace", drainGrace);
        positive("closeGrace", closeGrace);
        positive("retryAfter", retryAfter);
        positive("requestDeadline", requestDeadline);
        if (maxAttempts < 1) {
            throw new IllegalArgumentException(
                    "maxAttempts %d of a hub: at least 1".formatted(maxAttempts));
        }
    }

    /// These times with other ones for heartbeats.
    public HubTimes withHeartbeats(Duration timeout, Duration interval, Duration checkInterval) {
        return new HubTimes(
                timeout,
                interval,
                checkInterval,
                registrationTimeout,
                acceptTimeout,
                drainGrace,
                closeGrace,
                retryAfter,
                requestDeadline,
                maxAttempts);
    }

    /// These times with another one for registrations.
    public HubTimes withRegistrationTimeout(Duration timeout) {
        return new HubTimes(
                heartbeatTimeout,
                heartbeatInterval,
                healthCheckInterval,
                timeout,
                acceptTimeout,
                drainGrace,
                closeGrace,
                retryAfter,
                requestDeadline,
                maxAttempts);
    }

    /// These times with other ones for requests.
    public HubTimes withRequests(Duration acceptTimeout, Duration deadline, int maxAttempts) {
        return new HubTimes(
                heartbeatTimeout,
                heartbeatInterval,
                healthCheckInterval,
                registrationTimeout,
                acceptTimeout,
                drainGrace,
                closeGrace,
                retryAfter,
                deadline,
                maxAttempts);
    }

    /// These times with other ones for the end of a connection.
    public HubTimes withEnds(Duration drainGrace, Duration closeGrace) {
        return new HubTimes(
                heartbeatTimeout,
                heartbeatInterval,
                healthCheckInterval,
                registrationTimeout,
                acceptTimeout,
                drainGrace,
                closeGrace,
                retryAfter,
                requestDeadline,
                maxAttempts);
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(
                    "%s %s of a hub: it must be positive".formatted(name, value));
        }
    }
}
