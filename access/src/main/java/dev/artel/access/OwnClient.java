package dev.artel.access;

import dev.artel.config.Secret;
import dev.artel.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A client in whose name the orchestrator submits jobs by its own API. Its rates, quotas and priorities are those of its table in the
/// file of clients, where it has one.
///
/// @param name of the client
/// @param needsTable whether it has to have a table; else it is a client with the role `client` without one
/// @param setting that names it, for messages
/// @param token that is known to the process of the orchestrator alone
public record OwnClient(String name, boolean needsTable, String setting, Secret token) {
    /// The client where the file has none of its name.
    ClientEntry entry() {
        return new ClientEntry(
                new Caller(
                        name,
                        Role.CLIENT,
                        List.of(),
                        "unknown",
                        JsonObject.EMPTY,
                        Double.POSITIVE_INFINITY),
                List.of(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                ClientEntry.NORMAL_WEIGHT,
                Optional.empty());
    }

    /// Why it cannot be used with `clients`; empty if it can.
    Optional<String> problem(Map<String, ClientEntry> clients) {
        var client = clients.get(name);
        if (client == null) {
            return Optional.of(
                    setting
                            + " names the client "
                            + name
                            + ", which clients.toml does not have; add a table ["
                            + name
                            + "], or leave the setting out");
        }
        return client.caller().role() == Role.VIEWER
                ? Optional.of(
                        setting
                                + " names the client "
                                + name
                                + ", which has the role viewer and cannot submit jobs; name one with the"
                                + " role client")
                : Optional.empty();
    }

    /// What an operator should know of it.
    Optional<String> warning(Map<String, ClientEntry> clients) {
        var client = clients.get(name);
        return client != null && client.caller().mayOperate()
                ? Optional.of(
                        setting
                                + " names the client "
                                + name
                                + ", which is an operator: jobs that come that way have no limits of clients;"
                                + " name one with the role client")
                : Optional.empty();
    }
}
