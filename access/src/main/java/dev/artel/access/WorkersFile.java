package dev.artel.access;

import dev.artel.kernel.attempt.WorkerId;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;

/// Reads `workers.toml`: a table for each worker, named by its id.
final class WorkersFile {
    private static final List<String> KEYS =
            List.of("token", "token_sha256", "tokens", "tasks", "clients", "certificate");

    private WorkersFile() {}

    /// The workers of `file`, added to `workers`.
    static TomlTables read(Path file, SequencedMap<WorkerId, WorkerEntry> workers) {
        return TomlTables.read(
                file,
                table -> {
                    var tokens = table.tokens();
                    var tasks = table.texts("tasks");
                    var clients = table.texts("clients");
                    var certificate = table.text("certificate");
                    certificate
                            .filter(_ -> table.name().contains("*"))
                            .ifPresent(_ ->
                                    table.problem(
                                            ".certificate",
                                            " is that of one worker, and the table is of a pattern; leave it out: the names in certificates are those of workers"));
                    table.warnOfOthersThan(KEYS);
                    try {
                        var id = new WorkerId(table.name());
                        workers.put(id, new WorkerEntry(id, tokens, tasks, clients, certificate));
                    } catch (IllegalArgumentException noName) {
                        table.problem("", ": the name must have " + WorkerId.RULE);
                    }
                });
    }

    /// Warns of workers that wait for clients that there are not.
    ///
    /// @param places of the workers, as messages have them
    static void warnOfUnknown(
            SequencedMap<WorkerId, WorkerEntry> workers,
            Function<WorkerId, String> places,
            Set<String> clients,
            List<String> warnings) {
        workers.values()
                .forEach(worker ->
                        worker.clients().stream()
                                .filter(client -> !clients.contains(client))
                                .forEach(client ->
                                        warnings.add(
                                                places.apply(worker.id())
                                                        + ": worker "
                                                        + worker.id()
                                                        + " is for client "
                                                        + client
                                                        + ", which is not in clients.toml")));
    }
}
