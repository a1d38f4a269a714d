package dev.artel.server.access;

import dev.artel.gateway.http.WorkerTokens;
import dev.artel.json.JsonObject;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.server.config.AccessSettings;
import dev.artel.server.config.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;

/// All clients and workers that are known by their tokens, as the files were at one moment.
///
/// @param workerTokens what the worker routes ask
record Directory(
        SequencedMap<String, ClientEntry> clients,
        Map<TokenDigest, ClientEntry> byToken,
        SequencedMap<WorkerId, WorkerEntry> workers,
        WorkerTokens workerTokens) {
    /// The name of the client and of the token that are there without a file.
    static final String DEFAULT_CLIENT = "default";

    /// What reading the files came to.
    ///
    /// @param problems for which it cannot be used
    /// @param warnings for which it can
    record Reading(Directory directory, List<String> problems, List<String> warnings) {}

    /// Where the files are that are there.
    ///
    /// @param missing what is named and is not there, each in a sentence
    record Places(Optional<Path> clients, Optional<Path> workers, List<String> missing) {
        static Places of(AccessSettings settings, Optional<Path> folder) {
            var missing = new ArrayList<String>();
            return new Places(
                    place("access.clients", settings.clients(), folder, "clients.toml", missing),
                    place("access.workers", settings.workers(), folder, "workers.toml", missing),
                    missing);
        }

        private static Optional<Path> place(
                String key,
                Optional<Path> named,
                Optional<Path> folder,
                String usual,
                List<String> missing) {
            named.filter(file -> !Files.exists(file))
                    .ifPresent(file ->
                            missing.add(
                                    key
                                            + " names "
                                            + file.toAbsolutePath()
                                            + ", which is not there; make it or correct the path"));
            return named.or(() -> folder.map(each -> each.resolve(usual))).filter(Files::exists);
        }
    }

    /// Reads the files.
    ///
    /// @param client the token of the client `default`, unless the file of clients has one of that name
    /// @param worker the token of all workers that have none of their own
    static Reading read(
            AccessSettings settings, Optional<Path> folder, Secret client, Secret worker) {
        var places = Places.of(settings, folder);
        var problems = new ArrayList<>(places.missing());
        var warnings = new ArrayList<String>();
        var clients = new LinkedHashMap<String, ClientEntry>();
        clients.put(DEFAULT_CLIENT, operator(client));
        places.clients()
                .ifPresent(file -> {
                    var tables = ClientsFile.read(file, clients);
                    problems.addAll(tables.problems());
                    warnings.addAll(tables.warnings());
                });
        var workers = new LinkedHashMap<WorkerId, WorkerEntry>();
        places.workers()
                .ifPresent(file -> {
                    var tables = WorkersFile.read(file, workers);
                    problems.addAll(tables.problems());
                    warnings.addAll(tables.warnings());
                });
        WorkersFile.check(workers, problems);
        WorkersFile.warnOfUnknown(workers, clients.keySet(), warnings);
        if (!settings.sharedWorkerToken() && workers.isEmpty()) {
            problems.add(
                    "access.shared-worker-token is false and no worker has a token of its own:"
                            + " nobody could work; name workers in workers.toml");
        }
        var byToken = ClientsFile.byToken(clients, problems);
        var digests = new LinkedHashMap<WorkerId, String>();
        workers.forEach((id, entry) -> digests.put(id, entry.token().hex()));
        var shared = settings.sharedWorkerToken() ? worker.value() : null;
        return new Reading(
                new Directory(clients, byToken, workers, new WorkerTokens(shared, digests)),
                List.copyOf(problems),
                List.copyOf(warnings));
    }

    private static ClientEntry operator(Secret token) {
        return new ClientEntry(
                new Caller(
                        DEFAULT_CLIENT,
                        Role.OPERATOR,
                        List.of(),
                        "unknown",
                        JsonObject.EMPTY,
                        Double.POSITIVE_INFINITY),
                TokenDigest.of(token.value()),
                OptionalLong.empty(),
                OptionalInt.empty(),
                ClientEntry.NORMAL_WEIGHT);
    }
}
