package dev.artel.access;

import dev.artel.gateway.access.WorkerNames;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.tokens.KnownToken;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenHolder;
import dev.artel.tokens.TokenRegister;
import dev.artel.tokens.TokenRegisterFile;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/// All clients and workers that are known by their tokens, as the files and the register of tokens were at one moment.
///
/// @param files from which they come
/// @param byToken also tokens that are good no longer, so that this can be reported
/// @param workers those of the files, and those of the register that have no table, whose limits are not here: see [#limitsOf]
/// @param workerTokens what the worker routes ask
/// @param tokens all of them
/// @param proving the workers and patterns of names that have a token or a certificate of their own, good or not
record Credentials(
        AccessFiles files,
        SequencedMap<String, ClientEntry> clients,
        Map<TokenDigest, Holding> byToken,
        SequencedMap<WorkerId, WorkerEntry> workers,
        WorkerTokens workerTokens,
        List<KnownToken> tokens,
        Set<WorkerId> proving) {
    /// A client's token.
    record Holding(ClientEntry client, KnownToken token) {}

    /// What putting files and register together came to.
    ///
    /// @param problems for which it cannot be used
    /// @param warnings for which it can
    record Reading(Credentials credentials, List<String> problems, List<String> warnings) {}

    /// The table that limits `worker`: that of its name, or else of the longest pattern. A token that was only added to the register lifts none.
    Optional<WorkerEntry> limitsOf(WorkerId worker) {
        return WorkerNames.find(files.workers(), worker);
    }

    /// Whether a token or a certificate is that of `worker`, by its name or by any pattern that it matches, so that the token of all workers is good
    /// for nobody of this name.
    boolean isProving(WorkerId worker) {
        return proving.contains(worker)
                || proving.stream()
                        .filter(WorkerNames::isPattern)
                        .anyMatch(pattern -> WorkerNames.matches(pattern.value(), worker.value()));
    }

    /// The clients and workers of `files` with the tokens of `register`, and without those that it has ended.
    static Reading of(AccessFiles files, TokenRegister register, InstantSource clock) {
        var problems = new ArrayList<>(files.problems());
        var warnings = new ArrayList<>(files.warnings());
        var workers = new LinkedHashMap<>(files.workers());
        var tokens =
                new ArrayList<>(
                        files.tokens().stream().map(each -> ended(each, register)).toList());
        for (var issued : register.issued()) {
            var isKnown =
                    switch (issued.holder()) {
                        case TokenHolder.Client(var name) -> files.clients().containsKey(name);
                        case TokenHolder.Worker(var id) -> {
                            var worker = new WorkerId(id);
                            workers.putIfAbsent(
                                    worker,
                                    new WorkerEntry(
                                            worker,
                                            List.of(),
                                            List.of(),
                                            List.of(),
                                            Optional.empty()));
                            yield true;
                        }
                        case TokenHolder.AllWorkers _ -> files.isSharedTokenAllowed();
                    };
            if (isKnown) {
                tokens.add(
                        ended(
                                new KnownToken(
                                        issued.holder(),
                                        issued.grant(),
                                        TokenRegisterFile.NAME,
                                        false),
                                register));
            } else {
                warnings.add(
                        TokenRegisterFile.NAME
                                + ": token "
                                + issued.grant().digest().id()
                                + " is for "
                                + issued.holder()
                                + ", which there is not any more");
            }
        }
        if (!files.isSharedTokenAllowed() && workers.isEmpty()) {
            problems.add(
                    "access.shared-worker-token is false and no worker has a token of its own:"
                            + " no worker could connect; name workers in workers.toml, or run ./artel token"
                            + " add worker ID");
        }
        warnOfTokenless(files, tokens, clock.instant(), warnings);
        check(tokens, files.places(), problems);
        checkCertificates(files, problems);
        var proving = new LinkedHashSet<WorkerId>();
        files.workers()
                .forEach((worker, entry) -> {
                    if (entry.certificate().isPresent()) {
                        proving.add(worker);
                    }
                });
        var byToken = new LinkedHashMap<TokenDigest, Holding>();
        var shared = new ArrayList<WorkerTokens.Grant>();
        var own = new LinkedHashMap<WorkerId, List<WorkerTokens.Grant>>();
        workers.keySet().forEach(worker -> own.put(worker, new ArrayList<>()));
        for (var token : tokens) {
            switch (token.holder()) {
                case TokenHolder.Client(var name) -> {
                    var client = files.clients().get(name);
                    if (client != null) {
                        byToken.merge(
                                token.grant().digest(),
                                new Holding(client, token),
                                Credentials::longer);
                    }
                }
                case TokenHolder.Worker(var id) -> {
                    var worker = new WorkerId(id);
                    proving.add(worker);
                    own.getOrDefault(worker, new ArrayList<>()).add(worker(token));
                }
                case TokenHolder.AllWorkers _ -> shared.add(worker(token));
            }
        }
        return new Reading(
                new Credentials(
                        files,
                        files.clients(),
                        byToken,
                        workers,
                        new WorkerTokens(shared, own, clock),
                        List.copyOf(tokens),
                        Set.copyOf(proving)),
                List.copyOf(problems),
                List.copyOf(warnings));
    }

    /// Each client and worker that the files name needs a token that is good at `now`, of a file or of the register.
    private static void warnOfTokenless(
            AccessFiles files, List<KnownToken> tokens, Instant now, List<String> warnings) {
        var served =
                tokens.stream()
                        .filter(token -> token.grant().isGood(now))
                        .map(KnownToken::holder)
                        .collect(Collectors.toSet());
        files.places()
                .forEach((holder, place) -> {
                    if (!served.contains(holder) && !hasCertificate(files, holder)) {
                        warnings.add(
                                place
                                        + ": "
                                        + holder
                                        + " has no token that is good; give it one: ./artel token"
                                        + " add "
                                        + holder);
                    }
                });
    }

    private static boolean hasCertificate(AccessFiles files, TokenHolder holder) {
        return switch (holder) {
            case TokenHolder.Client(var name) ->
                    Optional.ofNullable(files.clients().get(name))
                            .flatMap(ClientEntry::certificate)
                            .isPresent();
            case TokenHolder.Worker(var id) ->
                    Optional.ofNullable(files.workers().get(new WorkerId(id)))
                            .flatMap(WorkerEntry::certificate)
                            .isPresent();
            case TokenHolder.AllWorkers _ -> false;
        };
    }

    private static WorkerTokens.Grant worker(KnownToken token) {
        return new WorkerTokens.Grant(token.grant().digest().hex(), token.grant().expires());
    }

    private static Holding longer(Holding one, Holding other) {
        var end = one.token().grant().expires();
        return end.isPresent() && other.token().grant().isGood(end.get()) ? other : one;
    }

    private static KnownToken ended(KnownToken token, TokenRegister register) {
        var grant = register.limited(token.grant());
        return new KnownToken(
                token.holder(),
                grant,
                token.source(),
                register.revoked().containsKey(grant.digest()));
    }

    /// Whether no two clients, and no two workers, have the same token.
    private static void check(
            List<KnownToken> tokens, Map<TokenHolder, String> places, List<String> problems) {
        var clients = new LinkedHashMap<TokenDigest, TokenHolder>();
        var workers = new LinkedHashMap<TokenDigest, TokenHolder>();
        for (var token : tokens) {
            var owners = token.holder() instanceof TokenHolder.Client ? clients : workers;
            var other = owners.putIfAbsent(token.grant().digest(), token.holder());
            if (other != null && !other.equals(token.holder())) {
                problems.add(
                        placed(other, places)
                                + " and "
                                + placed(token.holder(), places)
                                + " have the same token; give each its own");
            }
        }
    }

    /// Whether no two clients, and no two workers, have the same certificate.
    private static void checkCertificates(AccessFiles files, List<String> problems) {
        var clients = new LinkedHashMap<String, TokenHolder>();
        files.clients()
                .forEach((name, client) ->
                        client.certificate()
                                .ifPresent(certificate ->
                                        once(
                                                clients,
                                                certificate,
                                                new TokenHolder.Client(name),
                                                files,
                                                problems)));
        var workers = new LinkedHashMap<String, TokenHolder>();
        files.workers()
                .forEach((id, worker) ->
                        worker.certificate()
                                .ifPresent(certificate ->
                                        once(
                                                workers,
                                                certificate,
                                                new TokenHolder.Worker(id.value()),
                                                files,
                                                problems)));
    }

    private static void once(
            Map<String, TokenHolder> owners,
            String certificate,
            TokenHolder holder,
            AccessFiles files,
            List<String> problems) {
        var other = owners.putIfAbsent(certificate, holder);
        if (other != null) {
            problems.add(
                    placed(other, files.places())
                            + " and "
                            + placed(holder, files.places())
                            + " have the same certificate; give each its own");
        }
    }

    private static String placed(TokenHolder holder, Map<TokenHolder, String> places) {
        var place = places.get(holder);
        return holder + (place == null ? "" : " (" + place + ")");
    }
}
