package dev.artel.config;

import dev.artel.kernel.webhook.Webhook;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// How webhooks are called.
///
/// @param allowPrivate networks that may be called although they are not public, such as `10.1.0.0/16`
/// @param allowHttp whether receivers may be called without TLS
/// @param trusted a PEM file of certificates that are trusted beside those that Java trusts
/// @param retries how often, and when
/// @param limits how much at once
/// @param subscriptions the subscriptions that the settings declare
public record WebhookSettings(
        List<String> allowPrivate,
        boolean allowHttp,
        Optional<Path> trusted,
        Retries retries,
        Limits limits,
        List<SubscriptionSettings> subscriptions) {
    /// How many subscriptions there may be, those of the API among them: a job has at most 20, and one of these is
    /// the one that it names itself.
    public static final int MOST_SUBSCRIPTIONS = Webhook.MOST - 1;

    /// Public addresses over TLS alone.
    public static final WebhookSettings DEFAULTS =
            new WebhookSettings(
                    List.of(),
                    false,
                    Optional.empty(),
                    Retries.DEFAULTS,
                    Limits.DEFAULTS,
                    List.of());

    /// How often a receiver is tried.
    ///
    /// @param attempts how often at most
    /// @param firstPause after the first attempt; each further one is three times as long, and all vary by a fifth
    /// @param longestPause at most between two attempts, also if the receiver asks for more
    /// @param longest after so much time since the event it is given up
    /// @param timeout how long one attempt may take
    public record Retries(
            int attempts,
            Duration firstPause,
            Duration longestPause,
            Duration longest,
            Duration timeout) {
        /// Twenty times within a day.
        public static final Retries DEFAULTS =
                new Retries(
                        20,
                        Duration.ofSeconds(2),
                        Duration.ofHours(1),
                        Duration.ofDays(1),
                        Duration.ofSeconds(10));

        /// Refuses what has no meaning.
        public Retries {
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
    /// @param atOnce calls at once; a client may have as many as it leaves free
    /// @param perHost calls at once of one client to one receiver
    /// @param maxPending calls of one client that wait for one receiver; further ones wait in the store
    /// @param maxPendingAll calls that wait; a client may have as many as it leaves free
    /// @param maxBodyBytes a call that would be larger leaves out the result of the job
    public record Limits(
            int atOnce, int perHost, int maxPending, int maxPendingAll, int maxBodyBytes) {
        /// 64 calls, 4 to each receiver, of 256 KiB.
        public static final Limits DEFAULTS = new Limits(64, 4, 10_000, 50_000, 256 << 10);
    }

    /// Refuses what is no network.
    public WebhookSettings {
        allowPrivate = List.copyOf(allowPrivate);
        subscriptions = List.copyOf(subscriptions);
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

    /// Something that is wrong.
    ///
    /// @param setting its name
    /// @param why the end of a sentence that begins with the name
    public record Problem(String setting, String why) {
        @Override
        public String toString() {
            return setting + " " + why;
        }
    }

    /// What is wrong with the subscriptions under these settings; empty if nothing is.
    public List<Problem> problems() {
        var problems = new ArrayList<Problem>();
        var names = new LinkedHashSet<String>();
        for (var one : subscriptions) {
            var setting = SubscriptionSettings.PREFIX + one.name();
            if (!names.add(one.name())) {
                problems.add(new Problem(setting, "is there twice; give each its own name"));
            }
            WebhookUrl.problem(one.url(), this)
                    .ifPresent(why ->
                            problems.add(new Problem(setting + ".url", "is of no use: " + why)));
        }
        if (subscriptions.size() > MOST_SUBSCRIPTIONS) {
            problems.add(
                    new Problem(
                            "webhooks.subscriptions",
                            "must be at most "
                                    + MOST_SUBSCRIPTIONS
                                    + ", were "
                                    + subscriptions.size()));
        }
        return problems;
    }

    /// These settings with other private networks.
    public WebhookSettings withAllowPrivate(List<String> networks) {
        return new WebhookSettings(networks, allowHttp, trusted, retries, limits, subscriptions);
    }

    /// These settings with or without calls that are not encrypted.
    public WebhookSettings withAllowHttp(boolean allowed) {
        return new WebhookSettings(allowPrivate, allowed, trusted, retries, limits, subscriptions);
    }

    /// These settings with other retries.
    public WebhookSettings withRetries(Retries other) {
        return new WebhookSettings(allowPrivate, allowHttp, trusted, other, limits, subscriptions);
    }

    /// These settings with other limits.
    public WebhookSettings withLimits(Limits other) {
        return new WebhookSettings(allowPrivate, allowHttp, trusted, retries, other, subscriptions);
    }

    /// These settings with further certificates that are trusted.
    public WebhookSettings withTrusted(Path file) {
        return new WebhookSettings(
                allowPrivate, allowHttp, Optional.of(file), retries, limits, subscriptions);
    }

    /// These settings with other subscriptions.
    public WebhookSettings withSubscriptions(List<SubscriptionSettings> others) {
        return new WebhookSettings(allowPrivate, allowHttp, trusted, retries, limits, others);
    }
}
