package dev.artel.worker.amqp;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What `amqp://user:password@host:5672/vhost?exchange=mindbus.main&lease=30&user-id=true` stands for.
///
/// @param broker where it is, and the login
/// @param exchange the topic exchange of the agents
/// @param lease after how much silence the agent is gone; it sends a heartbeat three times as often
/// @param showsUser whether each message has the user of the login as its `user_id`
record AgentAddress(URI broker, String exchange, Duration lease, boolean showsUser) {
    private static final String LIKE =
            "an address on RabbitMQ is like amqp://user:password@host:5672/vhost?exchange=mindbus.main&lease=30&user-id=true, was ";
    private static final String EXCHANGE = "mindbus.main";
    private static final int LEASE_SECONDS = 30;
    private static final int LONGEST_LEASE_SECONDS = 86_400;
    private static final int LONGEST_EXCHANGE = 200;
    private static final Set<String> KNOWN = Set.of("exchange", "lease", "user-id");

    /// @throws IllegalArgumentException if `uri` is none
    static AgentAddress of(URI uri) {
        var path = uri.getRawPath();
        if (uri.getHost() == null || (path != null && path.indexOf('/', 1) > 0)) {
            throw new IllegalArgumentException(LIKE + shown(uri));
        }
        var query = query(uri);
        var exchange = query.getOrDefault("exchange", EXCHANGE);
        if (exchange.isBlank() || exchange.length() > LONGEST_EXCHANGE) {
            throw new IllegalArgumentException(
                    LIKE
                            + shown(uri)
                            + "; the name of an exchange has 1 to "
                            + LONGEST_EXCHANGE
                            + " characters");
        }
        return new AgentAddress(
                URI.create(uri.toString().replaceFirst("\\?.*", "")),
                exchange,
                lease(uri, query),
                showsUser(uri, query));
    }

    private static Map<String, String> query(URI uri) {
        var found = new LinkedHashMap<String, String>();
        if (uri.getRawQuery() == null) {
            return found;
        }
        for (var member : uri.getRawQuery().split("&", -1)) {
            var parts = member.split("=", 2);
            if (parts.length < 2 || !KNOWN.contains(parts[0])) {
                throw new IllegalArgumentException(
                        LIKE
                                + shown(uri)
                                + "; '"
                                + parts[0]
                                + "' is neither exchange nor lease nor user-id");
            }
            found.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return found;
    }

    private static Duration lease(URI uri, Map<String, String> query) {
        var text = query.getOrDefault("lease", String.valueOf(LEASE_SECONDS));
        if (!text.matches("[0-9]{1,5}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > LONGEST_LEASE_SECONDS) {
            throw new IllegalArgumentException(
                    LIKE
                            + shown(uri)
                            + "; lease is a number of seconds from 1 to "
                            + LONGEST_LEASE_SECONDS
                            + ", was '"
                            + text
                            + "'");
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private static boolean showsUser(URI uri, Map<String, String> query) {
        return switch (query.getOrDefault("user-id", "false")) {
            case "true" -> true;
            case "false" -> false;
            case String other ->
                    throw new IllegalArgumentException(
                            LIKE + shown(uri) + "; user-id is true or false, was '" + other + "'");
        };
    }

    /// What messages have as their `user_id`: the user of the login; null: nothing.
    @Nullable String userId() {
        var login = broker.getUserInfo();
        return showsUser ? login == null ? "guest" : login.split(":", 2)[0] : null;
    }

    /// What may be shown of it: not the login.
    private static String shown(URI uri) {
        return uri.toString().replaceFirst("//[^@/]*@", "//");
    }

    @Override
    public String toString() {
        return shown(broker);
    }
}
