package dev.artel.gateway.mindbus;

import dev.artel.gateway.access.NamePatterns;
import java.util.Optional;

/// Who may come over the bus, where each account of the broker may publish what it likes.
///
/// @param agents the names that agents may have
/// @param verifiesUser whether the broker's account of a message must be the agent that the message is of: RabbitMQ lets nobody set the
///     property `user_id` to another account than its own
public record BusDoor(NamePatterns agents, boolean verifiesUser) {
    /// All names, of whatever account.
    public static final BusDoor OPEN = new BusDoor(NamePatterns.ALL, false);

    /// Refuses a message of the agent `name` that another account has sent.
    ///
    /// @param user the account that the broker has verified; empty: the message has none
    /// @throws ForeignSender if the account is not that of the agent
    void check(String name, Optional<String> user) {
        if (verifiesUser && !user.equals(Optional.of(name))) {
            throw new ForeignSender(
                    "it is of the agent '"
                            + BusEvent.shortened(name)
                            + "', and "
                            + shown(user)
                            + "; with mindbus.verify-user the user_id of a message is the name of its agent,"
                            + " who logs in to the broker under that name");
        }
    }

    /// Refuses a control for the agent `name` of another account than its own and `operator`.
    ///
    /// @param operator the account of the orchestrator
    /// @throws ForeignSender if it is of another account
    void checkControl(String name, Optional<String> user, String operator) {
        if (verifiesUser
                && !user.equals(Optional.of(name))
                && !user.equals(Optional.of(operator))) {
            throw new ForeignSender(
                    "it is a control for the agent '"
                            + BusEvent.shortened(name)
                            + "', and "
                            + shown(user)
                            + "; with mindbus.verify-user the user_id of a control is that agent or the user of mindbus.uri");
        }
    }

    private static String shown(Optional<String> user) {
        return user.map(it -> "its user_id is '" + BusEvent.shortened(it) + "'")
                .orElse("it has no user_id");
    }
}
