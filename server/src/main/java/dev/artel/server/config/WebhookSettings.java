package dev.artel.server.config;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/// How others outside are told what happens.
///
/// @param allowPrivate networks that may be called although they are not public, such as `10.1.0.0/16`
/// @param allowHttp whether receivers may be called without TLS
/// @param patience how often, and when
/// @param limits how much at once
public record WebhookSettings(
        List<String> allowPrivate, boolean allowHttp, Patience patience, Limits limits) {
    /// Public addresses over TLS alone.
    public static final WebhookSettings DEFAULTS =
            new WebhookSettings(List.of(), false, Patience.DEFAULTS, Limits.DEFAULTS);

    /// How often a receiver is tried.
    ///
    /// @param attempts how often at most
    /// @param firstPause after the first attempt; each further one is three times as long, and all vary by a fifth
    /// @param longestPause at most between two attempts, also if the receiver asks for more
    /// @param longest after so much time since the event it is given up
    /// @param timeout how long one attempt may take
    public record Patience(
            int attempts,
            Duration firstPause,
            Duration longestPause,
            Duration longest,
            Duration timeout) {
        /// Twenty times within a day.
        public static final Patience DEFAULTS =
                new Patience(
                        20,
                        Duration.ofSeconds(2),
                        Duration.ofHours(1),
                        Duration.ofDays(1),
                        Duration.ofSeconds(10));

        /// Refuses what has no meaning.
        public Patience {
            if (attempts < 1) {
                throw new IllegalArgumentException(
                        "webhooks.attempts must be at least 1, was " + attempts);
            }
            for (var time : List.of(firstPause, longestPause, longest, timeout)) {
                if (!time.isPositive()) {
                    throw new IllegalArgumentException(
                            "the times of webhooks must be positive, was " + time);
                }
            }
        }
    }

    /// How much is done and kept at once.
    ///
    /// @param atOnce calls at once, to all receivers
    /// @param perHost calls at once to one receiver
    /// @param maxPending calls that wait for one receiver; further ones are given up
    /// @param maxBodyBytes without its result a job is told where it would be larger
    public record Limits(int atOnce, int perHost, int maxPending, int maxBodyBytes) {
        /// 32 calls, 4 to each receiver, of 256 KiB.
        public static final Limits DEFAULTS = new Limits(32, 4, 10_000, 256 << 10);
    }

    /// Refuses what is no network.
    public WebhookSettings {
        allowPrivate = List.copyOf(allowPrivate);
        for (var network : allowPrivate) {
            try {
                var _ = Network.of(network);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "webhooks.allow-private must be addresses or networks such as 10.0.0.0/8,"
                                + " was '"
                                + network
                                + "'",
                        wrong);
            }
        }
    }

    /// Whether `address` is allowed on purpose.
    public boolean allows(InetAddress address) {
        return allowPrivate.stream().map(Network::of).anyMatch(each -> each.contains(address));
    }

    /// These settings with other private networks.
    public WebhookSettings withAllowPrivate(List<String> networks) {
        return new WebhookSettings(networks, allowHttp, patience, limits);
    }

    /// These settings with or without calls that are not encrypted.
    public WebhookSettings withAllowHttp(boolean allowed) {
        return new WebhookSettings(allowPrivate, allowed, patience, limits);
    }

    /// These settings with other patience.
    public WebhookSettings withPatience(Patience other) {
        return new WebhookSettings(allowPrivate, allowHttp, other, limits);
    }

    /// These settings with other limits.
    public WebhookSettings withLimits(Limits other) {
        return new WebhookSettings(allowPrivate, allowHttp, patience, other);
    }
}
