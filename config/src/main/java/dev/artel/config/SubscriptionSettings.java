package dev.artel.config;

import dev.artel.kernel.webhook.WebhookEventType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A subscription to jobs or workers that the settings declare: `webhooks.subscriptions.NAME` in a file.
///
/// @param name its id, which stays the same over restarts
/// @param events which events it receives; never empty
/// @param blueprints of jobs of these alone; empty: of all
/// @param secret with which calls are signed
/// @param previous with which they are signed as well, until receivers know the other one
public record SubscriptionSettings(
        String name,
        String url,
        List<String> events,
        List<String> blueprints,
        Secret secret,
        Optional<SigningSecret> previous) {
    /// The events about workers.
    public static final List<String> OF_WORKERS =
            List.of(
                    "worker_registered",
                    "worker_offline",
                    "worker_unhealthy",
                    "worker_healthy",
                    "worker_draining",
                    "worker_undrained");

    /// All events.
    public static final List<String> EVENTS =
            Stream.concat(
                            Arrays.stream(WebhookEventType.values()).map(WebhookEventType::text),
                            OF_WORKERS.stream())
                    .toList();

    /// What the names of all of them begin with in a file.
    static final String PREFIX = "webhooks.subscriptions.";

    private static final String SECRET = "whsec_";
    private static final String MADE = "wh-";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /// One that has had no other secret.
    public SubscriptionSettings(
            String name, String url, List<String> events, List<String> blueprints, Secret secret) {
        this(name, url, events, blueprints, secret, Optional.empty());
    }

    /// These settings with another secret, beside which `before` is good.
    public SubscriptionSettings withSecrets(Secret other, SigningSecret before) {
        return new SubscriptionSettings(name, url, events, blueprints, other, Optional.of(before));
    }

    /// Refuses what has no meaning. What is wrong with the URL depends on the other settings, see
    /// [WebhookSettings#problems].
    public SubscriptionSettings {
        events = events.isEmpty() ? EVENTS : List.copyOf(events);
        blueprints = List.copyOf(blueprints);
        var problems = new ArrayList<String>();
        problemOfName(name).ifPresent(why -> problems.add(PREFIX + name + " " + why));
        problemOfEvents(events).ifPresent(why -> problems.add(PREFIX + name + ".events " + why));
        problemOfSecret(secret.value())
                .ifPresent(why -> problems.add(PREFIX + name + ".secret " + why));
        previous.flatMap(before -> problemOfSecret(before.secret().value()))
                .ifPresent(why -> problems.add(PREFIX + name + ".previous-secret " + why));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /// What is wrong with a name, as the end of a sentence; empty if nothing is.
    static Optional<String> problemOfName(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.of(
                    "must be named by 1 to 40 small letters, digits and hyphens, such as "
                            + PREFIX
                            + "on-call");
        }
        return name.startsWith(MADE)
                ? Optional.of(
                        "must not be named "
                                + MADE
                                + "..., as those are that are made by the API; choose another name")
                : Optional.empty();
    }

    /// What is wrong with `events`, as the end of a sentence; empty if nothing is.
    public static Optional<String> problemOfEvents(List<String> events) {
        return events.stream()
                .filter(event -> !EVENTS.contains(event))
                .findFirst()
                .map(event ->
                        "must be some of "
                                + EVENTS
                                + ", and '"
                                + event
                                + "' is none"
                                + Suggestions.like(event, EVENTS));
    }

    /// What is wrong with a secret, as the end of a sentence that does not show it; empty if nothing is.
    public static Optional<String> problemOfSecret(String secret) {
        try {
            if (secret.startsWith(SECRET)) {
                var length = Base64.getDecoder().decode(secret.substring(SECRET.length())).length;
                if (length >= 24 && length <= 64) {
                    return Optional.empty();
                }
            }
        } catch (IllegalArgumentException noBase64) {
            // reported below
        }
        return Optional.of(
                "must be whsec_ and 24 to 64 bytes in base64; make one with: echo whsec_$(openssl"
                        + " rand -base64 32)");
    }
}
