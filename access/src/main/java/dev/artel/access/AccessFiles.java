package dev.artel.access;

import dev.artel.config.AccessSettings;
import dev.artel.config.Secret;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.tokens.KnownToken;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenGrant;
import dev.artel.tokens.TokenHolder;
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

/// The content of the settings and of the files of clients and workers at one moment.
///
/// @param tokens all of them, whatever the register of tokens has
/// @param places where those of the files stand, as in `clients.toml:12`
/// @param problems for which they cannot be used
/// @param warnings for which they can
record AccessFiles(
        SequencedMap<String, ClientEntry> clients,
        SequencedMap<WorkerId, WorkerEntry> workers,
        boolean isSharedTokenAllowed,
        List<KnownToken> tokens,
        Map<TokenHolder, String> places,
        List<String> problems,
        List<String> warnings) {
    /// The name of the client and of the token that are there without a file.
    static final String DEFAULT_CLIENT = "default";

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
                String defaultName,
                List<String> missing) {
            named.filter(file -> !Files.exists(file))
                    .ifPresent(file ->
                            missing.add(
                                    key
                                            + " names "
                                            + file.toAbsolutePath()
                                            + ", which is not there; make it or correct the path"));
            return named.or(() -> folder.map(each -> each.resolve(defaultName)))
                    .filter(Files::exists);
        }
    }

    /// Reads the files.
    static AccessFiles read(
            AccessSettings settings, Optional<Path> folder, OrchestratorTokens defaults) {
        var places = Places.of(settings, folder);
        var problems = new ArrayList<>(places.missing());
        var warnings = new ArrayList<String>();
        var tokens = new ArrayList<KnownToken>();
        var lines = new LinkedHashMap<TokenHolder, String>();
        var clients = new LinkedHashMap<String, ClientEntry>();
        places.clients()
                .ifPresent(file -> {
                    var tables = ClientsFile.read(file, clients);
                    problems.addAll(tables.problems());
                    warnings.addAll(tables.warnings());
                    clients.forEach((name, client) -> {
                        var holder = new TokenHolder.Client(name);
                        lines.put(holder, tables.place(name));
                        add(tokens, holder, client.tokens(), file);
                    });
                });
        if (!clients.containsKey(DEFAULT_CLIENT)) {
            clients.putFirst(DEFAULT_CLIENT, operator());
            defaults.client()
                    .ifPresent(token ->
                            tokens.addFirst(
                                    of(
                                            new TokenHolder.Client(DEFAULT_CLIENT),
                                            token,
                                            defaults.source())));
        }
        defaults.own()
                .ifPresent(own -> {
                    if (!own.needsTable()) {
                        clients.putIfAbsent(own.name(), own.entry());
                    }
                    own.problem(clients).ifPresent(problems::add);
                    own.warning(clients).ifPresent(warnings::add);
                    tokens.add(
                            of(
                                    new TokenHolder.Client(own.name()),
                                    own.token(),
                                    "the process of the orchestrator"));
                });
        var workers = new LinkedHashMap<WorkerId, WorkerEntry>();
        places.workers()
                .ifPresent(file -> {
                    var tables = WorkersFile.read(file, workers);
                    problems.addAll(tables.problems());
                    warnings.addAll(tables.warnings());
                    workers.forEach((id, worker) -> {
                        var holder = new TokenHolder.Worker(id.value());
                        lines.put(holder, tables.place(id.value()));
                        add(tokens, holder, worker.tokens(), file);
                    });
                    WorkersFile.warnOfUnknown(
                            workers,
                            id -> tables.place(id + ".clients"),
                            clients.keySet(),
                            warnings);
                });
        if (settings.sharedWorkerToken()) {
            defaults.worker()
                    .ifPresent(token ->
                            tokens.add(of(new TokenHolder.AllWorkers(), token, defaults.source())));
        }
        return new AccessFiles(
                clients, workers, settings.sharedWorkerToken(), tokens, lines, problems, warnings);
    }

    private static void add(
            List<KnownToken> tokens, TokenHolder holder, List<TokenGrant> grants, Path file) {
        grants.forEach(grant ->
                tokens.add(
                        new KnownToken(holder, grant, String.valueOf(file.getFileName()), false)));
    }

    private static KnownToken of(TokenHolder holder, Secret token, String source) {
        return new KnownToken(
                holder, TokenGrant.unlimited(TokenDigest.of(token.value())), source, false);
    }

    private static ClientEntry operator() {
        return new ClientEntry(
                new Caller(
                        DEFAULT_CLIENT,
                        Role.OPERATOR,
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
}
