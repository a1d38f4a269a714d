package dev.artel.access;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;

/// Reads `clients.toml`: a table for each client, named by it.
final class ClientsFile {
    /// Each job keeps them.
    private static final int LONGEST_PARAMS = 16_384;

    private static final List<String> KEYS =
            List.of(
                    "token",
                    "token_sha256",
                    "tokens",
                    "role",
                    "groups",
                    "plan",
                    "monthly_attempts",
                    "requests_per_minute",
                    "max_open_jobs",
                    "max_priority",
                    "weight",
                    "params",
                    "certificate");

    private ClientsFile() {}

    /// The clients of `file`, added to `clients`.
    static TomlTables read(Path file, SequencedMap<String, ClientEntry> clients) {
        return TomlTables.read(
                file,
                table -> {
                    var entry = entry(table);
                    clients.put(entry.name(), entry);
                });
    }

    private static ClientEntry entry(TomlTables.Table table) {
        if (!isName(table.name())) {
            table.problem("", ": the name must have 1 to 200 printable characters");
        }
        var tokens = table.tokens();
        var role = role(table);
        var groups = table.texts("groups");
        var plan = table.text("plan").orElse("unknown");
        var attempts = table.count("monthly_attempts", 0, Long.MAX_VALUE);
        var rate = table.count("requests_per_minute", 1, 1_000_000_000);
        var openJobs = table.count("max_open_jobs", 1, 1_000_000);
        var maxPriority = table.number("max_priority", -1e9, 1e9);
        var weight = table.number("weight", 0.001, 1000);
        var params = table.table("params");
        if (params.toString().length() > LONGEST_PARAMS) {
            table.problem(
                    ".params", " must have at most " + LONGEST_PARAMS + " characters as JSON");
        }
        var certificate = table.text("certificate");
        table.warnOfOthersThan(KEYS);
        return new ClientEntry(
                new Caller(
                        table.name(),
                        role,
                        groups,
                        plan,
                        params,
                        maxPriority.orElse(Double.POSITIVE_INFINITY)),
                tokens,
                attempts.map(OptionalLong::of).orElse(OptionalLong.empty()),
                rate.map(each -> OptionalInt.of(each.intValue())).orElse(OptionalInt.empty()),
                openJobs.map(each -> OptionalInt.of(each.intValue())).orElse(OptionalInt.empty()),
                weight.orElse(ClientEntry.NORMAL_WEIGHT),
                certificate);
    }

    private static Role role(TomlTables.Table table) {
        var name = table.text("role");
        if (name.isEmpty()) {
            return Role.CLIENT;
        }
        var role = Role.of(name.get());
        if (role.isEmpty()) {
            table.problem(".role", " must be client, viewer or operator, was '" + name.get() + "'");
        }
        return role.orElse(Role.CLIENT);
    }

    private static boolean isName(String name) {
        return !name.isBlank()
                && name.length() <= 200
                && name.chars().noneMatch(Character::isISOControl);
    }
}
