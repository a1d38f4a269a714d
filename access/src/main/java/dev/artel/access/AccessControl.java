package dev.artel.access;

import dev.artel.config.AccessSettings;
import dev.artel.config.Secret;
import dev.artel.gateway.access.AddressBlock;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerNames;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.log.LinesAMinute;
import dev.artel.tokens.KnownToken;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenGrant;
import dev.artel.tokens.TokenHolder;
import dev.artel.tokens.TokenRegister;
import dev.artel.tokens.TokenRegisterFile;
import io.github.bucket4j.TimeMeter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The front door: decides for each request whose it is and whether it may go on. Knows the clients and workers of the files
/// and reloads them on request. Safe for use by many threads.
public final class AccessControl implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);
    private static final String CLIENT = "client";

    /// Lines of the log for refused requests of clients, of all addresses together; and as many for those of workers.
    static final int LINES_OF_STRANGERS = 300;

    /// From one address, or one network of IPv6.
    private static final int STRANGERS_PER_MINUTE = 600;

    private volatile AccessSettings settings;
    private final Optional<Path> folder;
    private final OrchestratorTokens defaults;
    private final InstantSource clock;
    private final RateLimiter rateLimiter;
    private final Quota quota;
    private final TokenConnections connections;
    private volatile CertificateTokens certificates = new CertificateTokens();
    private final LongAdder unauthorized = new LongAdder();
    private final LinesAMinute linesOfStrangers = new LinesAMinute(LINES_OF_STRANGERS);
    private final LinesAMinute linesOfWorkers = new LinesAMinute(LINES_OF_STRANGERS);
    private final Lock reading = new ReentrantLock();

    /// As they were when they could be used last; guarded by the lock.
    private AccessFiles files;

    /// As it was when it could be used last; guarded by the lock.
    private TokenRegister register;

    private List<String> warned = List.of();

    /// How often other files came into force; guarded by the lock.
    private final AtomicLong revision = new AtomicLong();

    private volatile Credentials credentials;

    /// The files cannot be used as they are.
    public static final class Unusable extends RuntimeException {
        @java.io.Serial private static final long serialVersionUID = 1;

        /// All that is wrong.
        Unusable(List<String> problems) {
            super(String.join("; ", problems));
        }
    }

    /// What reading the files again came to.
    public sealed interface Reload {
        /// They are in force.
        record Done(int clients, int workers) implements Reload {}

        /// They cannot be used; what was in force stays so.
        record Refused(List<String> problems) implements Reload {}
    }

    /// Reads the files.
    ///
    /// @param folder where files are looked for that the settings do not name, and where quotas are kept; empty: nothing
    ///     is kept
    /// @param client the token of the client `default`
    /// @param worker the token of all workers that have none of their own
    /// @param source where both come from, as messages name it
    /// @throws Unusable with all that is wrong with the files
    public AccessControl(
            AccessSettings settings,
            Optional<Path> folder,
            Secret client,
            Secret worker,
            String source,
            InstantSource clock) {
        this(
                settings,
                folder,
                new OrchestratorTokens(
                        Optional.of(client), Optional.of(worker), source, Optional.empty()),
                clock);
    }

    /// Reads the files.
    ///
    /// @param folder where files are looked for that the settings do not name, and where quotas are kept; empty: nothing
    ///     is kept
    /// @param tokens those that are there without a file
    /// @throws Unusable with all that is wrong with the files
    public AccessControl(
            AccessSettings settings,
            Optional<Path> folder,
            OrchestratorTokens tokens,
            InstantSource clock) {
        this(settings, folder, tokens, clock, TimeMeter.SYSTEM_NANOTIME);
    }

    /// Reads the files.
    ///
    /// @param rates the time by which requests are counted
    AccessControl(
            AccessSettings settings,
            Optional<Path> folder,
            OrchestratorTokens tokens,
            InstantSource clock,
            TimeMeter rates) {
        this.settings = settings;
        this.folder = folder;
        this.defaults = tokens;
        this.clock = clock;
        this.connections = new TokenConnections(() -> this.settings.connections(), this::tokenOf);
        this.rateLimiter = new RateLimiter(settings.rates().known(), rates);
        this.quota = quota(clock, folder);
        this.files = AccessFiles.read(settings, folder, defaults);
        this.register = registerOf(folder);
        var found = Credentials.of(files, register, clock);
        if (!found.problems().isEmpty()) {
            throw new Unusable(found.problems());
        }
        credentials = found.credentials();
        warn(found);
    }

    /// Logs what was not logged when the files or the register were read last.
    private void warn(Credentials.Reading found) {
        found.warnings().stream()
                .filter(warning -> !warned.contains(warning))
                .forEach(warning -> LOG.atWarn().log(warning));
        warned = found.warnings();
    }

    private static TokenRegister registerOf(Optional<Path> folder) {
        try {
            return folder.map(each -> new TokenRegisterFile(each).read())
                    .orElse(TokenRegister.EMPTY);
        } catch (TokenRegisterFile.Unusable damaged) {
            throw new Unusable(List.of(String.valueOf(damaged.getMessage())));
        }
    }

    /// All tokens that there would be with `register`, good ones and those that have ended.
    ///
    /// @param client the token of the client `default`; empty: not known here
    /// @param worker the token of all workers that have none of their own; empty: not known here
    /// @param source where both come from, as messages name it
    /// @throws Unusable with all that is wrong with the files, or with the register beside them
    public static Overview overview(
            AccessSettings settings,
            Path folder,
            Optional<Secret> client,
            Optional<Secret> worker,
            String source,
            TokenRegister register) {
        var files =
                AccessFiles.read(
                        settings,
                        Optional.of(folder),
                        new OrchestratorTokens(client, worker, source, Optional.empty()));
        var found = Credentials.of(files, register, InstantSource.system());
        if (!found.problems().isEmpty()) {
            throw new Unusable(found.problems());
        }
        return new Overview(
                List.copyOf(files.clients().keySet()),
                files.isSharedTokenAllowed(),
                found.credentials().tokens());
    }

    /// What a person sees of the tokens.
    ///
    /// @param clients the names of all clients
    /// @param isSharedTokenAllowed whether there may be tokens for all workers
    public record Overview(
            List<String> clients, boolean isSharedTokenAllowed, List<KnownToken> tokens) {}

    private static Quota quota(InstantSource clock, Optional<Path> folder) {
        try {
            return new Quota(
                    clock,
                    folder.map(each -> new QuotaFile(each.resolve(QuotaFile.NAME))).orElse(null));
        } catch (UncheckedIOException | MalformedJson damaged) {
            throw new Unusable(
                    List.of(
                            "cannot read the used quotas ("
                                    + damaged.getMessage()
                                    + "); fix "
                                    + QuotaFile.NAME
                                    + " in the data folder, or remove it to begin the month anew"));
        }
    }

    /// Whose request it is, and whether it may go on.
    ///
    /// @param token null if there is none
    /// @param from the address from which it came
    public AuthDecision admit(@Nullable String token, String from) {
        if (token == null) {
            return stranger(from, "Missing client token", "send it as Authorization: Bearer TOKEN");
        }
        return certificates
                .find(token, clock.instant())
                .map(found -> admitCertified(found, token, from))
                .orElseGet(() -> admit(TokenDigest.of(token), from));
    }

    private AuthDecision admitCertified(
            CertificateTokens.Holding found, String token, String from) {
        var client =
                found.holder() instanceof TokenHolder.Client(var name)
                        ? credentials.clients().get(name)
                        : null;
        if (client == null) {
            return stranger(from, "Unauthorized: Invalid certificate", "it names no client");
        }
        var known =
                new KnownToken(
                        found.holder(),
                        new TokenGrant(TokenDigest.of(token), Optional.of(found.until())),
                        "a certificate",
                        false);
        var key = rateOf(client);
        return rateLimiter
                .take(key)
                .<AuthDecision>map(after -> tooOften(key, after))
                .orElseGet(() -> new AuthDecision.Admitted(client.caller(), known));
    }

    /// What the certificate of a caller comes to, beside its token.
    public sealed interface Certified {
        /// The request is judged as it is.
        record AsItIs() implements Certified {}

        /// The request is judged as one with another token, which shows whose certificate it is.
        record With(String token) implements Certified {}

        /// The certificate and the token are those of two.
        record Refused(String detail) implements Certified {}
    }

    /// Judges the certificate of a worker: one that `workers.toml` names is that of its worker, each other that of the worker whose name it
    /// has, if a table or a pattern has this name, or if there may be a token of all workers. That token is good beside it, and so is one of
    /// its own; one that is nobody's is ignored: libraries send a text of their own where none is set, and what was exchanged before a
    /// restart may be one.
    ///
    /// @param names in the certificate, the common name first
    /// @param end of the certificate
    /// @param token null if there is none
    /// @param judge what the worker routes ask
    public Certified certifiedWorker(
            List<String> names, Instant end, @Nullable String token, WorkerAuthentication judge) {
        var worker = workerOf(names);
        if (worker.isEmpty()) {
            return new Certified.AsItIs();
        }
        var its = worker.get();
        var shown =
                new Certified.With(
                        certificates.of(
                                new TokenHolder.Worker(its.value()),
                                clock.instant(),
                                end,
                                isNamed(credentials, its)));
        if (token == null) {
            return shown;
        }
        return switch (judge.judge(token, its)) {
            case WorkerAuthentication.Decision.Named(var other) when !other.equals(its) ->
                    ofTwo(its, "that of " + other);
            case WorkerAuthentication.Decision.Named _, WorkerAuthentication.Decision.Unnamed _ ->
                    shown;
            case WorkerAuthentication.Decision.Refused _ ->
                    judge.judge(token, null) instanceof WorkerAuthentication.Decision.Refused
                            ? shown
                            : ofTwo(its, "not one of its own");
        };
    }

    private static Certified ofTwo(WorkerId worker, String token) {
        return new Certified.Refused(
                "the certificate is that of worker " + worker + ", the token is " + token);
    }

    private Optional<WorkerId> workerOf(List<String> names) {
        var known = credentials;
        for (var entry : known.workers().values()) {
            if (entry.certificate().filter(names::contains).isPresent()) {
                return Optional.of(entry.id());
            }
        }
        var isOfAClient =
                known.clients().values().stream()
                        .anyMatch(
                                client -> client.certificate().filter(names::contains).isPresent());
        if (isOfAClient || names.isEmpty()) {
            return Optional.empty();
        }
        try {
            var worker = new WorkerId(names.getFirst());
            return isGoodByName(known, worker) ? Optional.of(worker) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    /// Whether a table names the certificate of `worker`.
    private static boolean isNamed(Credentials known, WorkerId worker) {
        return known.workers().values().stream()
                .anyMatch(entry -> entry.id().equals(worker) && entry.certificate().isPresent());
    }

    /// Whether a certificate whose name is that of `worker` is that of `worker`.
    private static boolean isGoodByName(Credentials known, WorkerId worker) {
        var table = known.limitsOf(worker);
        var isAccepted =
                known.files().isSharedTokenAllowed()
                        ? table.flatMap(WorkerEntry::certificate).isEmpty()
                        : table.filter(entry -> entry.certificate().isEmpty()).isPresent();
        return isAccepted && !OwnWorkers.include(worker) && !WorkerNames.isPattern(worker);
    }

    /// Judges the certificate of a client, which `clients.toml` names.
    ///
    /// @param names in the certificate
    /// @param end of the certificate
    /// @param token null if there is none
    public Certified certifiedClient(List<String> names, Instant end, @Nullable String token) {
        var known = credentials;
        var client =
                known.clients().values().stream()
                        .filter(each -> each.certificate().filter(names::contains).isPresent())
                        .findFirst();
        if (client.isEmpty()) {
            return new Certified.AsItIs();
        }
        var its = client.get().name();
        var held = token == null ? null : known.byToken().get(TokenDigest.of(token));
        if (held != null && !held.client().name().equals(its)) {
            return new Certified.Refused(
                    "the certificate is that of client "
                            + its
                            + ", the token that of "
                            + held.client().name());
        }
        return held != null
                ? new Certified.AsItIs()
                : new Certified.With(
                        certificates.of(new TokenHolder.Client(its), clock.instant(), end, true));
    }

    /// What stands for certificates that callers have shown is good no longer, with all that was exchanged for it: other authorities are in force.
    /// A caller whose certificate is still good goes on with its next request.
    public void forgetCertificates() {
        certificates = new CertificateTokens();
    }

    /// As [#admit] of the token whose digest `token` is.
    public AuthDecision admit(TokenDigest token, String from) {
        var held = credentials.byToken().get(token);
        if (held == null) {
            return stranger(from, "Unauthorized: Invalid token", "");
        }
        if (!held.token().grant().isGood(clock.instant())) {
            return stranger(from, "Unauthorized: Invalid token", whyNot(held.token()));
        }
        var client = held.client();
        var key = rateOf(client);
        return rateLimiter
                .take(key)
                .<AuthDecision>map(after -> tooOften(key, after))
                .orElseGet(() -> new AuthDecision.Admitted(client.caller(), held.token()));
    }

    private RateLimiter.Key rateOf(ClientEntry client) {
        var defaultRate = client.caller().mayOperate() ? 0 : settings.rates().clients();
        return new RateLimiter.Key(
                client.name(), CLIENT, client.requestsPerMinute().orElse(defaultRate));
    }

    private static AuthDecision.Refused tooOften(RateLimiter.Key key, Duration after) {
        return new AuthDecision.Refused(
                429,
                "Too Many Requests",
                "client " + key.who() + " may ask " + key.perMinute() + " times a minute",
                Optional.of(after));
    }

    /// What is left of the rate of a client for the jobs of one request.
    public sealed interface Share {
        /// So many jobs may be reached, at least 1.
        record Of(int jobs) implements Share {}

        /// None now.
        record Nothing(AuthDecision.Refused refused) implements Share {}
    }

    /// Takes one request of the rate of `caller` for each of `most` jobs, or for as many as are left.
    public Share takeForJobs(Caller caller, int most) {
        var client = credentials.clients().get(caller.name());
        if (client == null) {
            return new Share.Of(most);
        }
        var key = rateOf(client);
        var taken = rateLimiter.takeUpTo(key, most);
        if (taken > 0) {
            return new Share.Of(taken);
        }
        return rateLimiter
                .take(key)
                .<Share>map(after -> new Share.Nothing(tooOften(key, after)))
                .orElseGet(() -> new Share.Of(1));
    }

    /// Of what [#takeForJobs] took, so much was not used.
    public void giveBackForJobs(Caller caller, int jobs) {
        var client = credentials.clients().get(caller.name());
        if (client != null) {
            rateLimiter.giveBack(rateOf(client), jobs);
        }
    }

    private static String whyNot(KnownToken token) {
        return "token "
                + token.id()
                + (token.isRevoked() ? " was revoked, and good until " : " has expired at ")
                + token.grant().expires().map(Instant::toString).orElse("")
                + "; ask an operator for another one (./artel token add "
                + token.holder()
                + ")";
    }

    /// Refuses a request from `from` that shows something else than a token, and that is not good. Counts as one with a wrong
    /// token.
    public AuthDecision.Refused refuse(String from, String error, String detail) {
        return stranger(from, error, detail);
    }

    /// Whether a client has a token with this digest, which is good now.
    public boolean isGood(TokenDigest token) {
        var held = credentials.byToken().get(token);
        return held != null && held.token().grant().isGood(clock.instant());
    }

    /// An address that sends wrong tokens, or a network of IPv6, gets slower answers and fills no log; all together have some lines a minute.
    private AuthDecision.Refused stranger(String from, String error, String detail) {
        unauthorized.increment();
        var after =
                rateLimiter.take(
                        new RateLimiter.Key(
                                AddressBlock.of(from), "refused", RateLimiter.REFUSED_PER_MINUTE));
        if (after.isPresent()) {
            return new AuthDecision.Refused(
                    429,
                    "Too Many Requests",
                    "too many tokens from " + from + " were refused",
                    after);
        }
        linesOfStrangers.log(
                LOG.atWarn().addKeyValue("from", from).addKeyValue("reason", error),
                "a request of a client was refused");
        return AuthDecision.Refused.unauthorized(error, detail);
    }

    /// Whether somebody who has no token of a client may go on: not too often from one address.
    public Optional<AuthDecision.Refused> admitStranger(String from) {
        return rateLimiter
                .take(new RateLimiter.Key(AddressBlock.of(from), "stranger", STRANGERS_PER_MINUTE))
                .map(after ->
                        new AuthDecision.Refused(
                                429,
                                "Too Many Requests",
                                "without a token of a client one may ask "
                                        + STRANGERS_PER_MINUTE
                                        + " times a minute",
                                Optional.of(after)));
    }

    /// Takes `jobs` of the quota of `caller`, durably. Empty if it had so many left, or has no quota.
    public Optional<AuthDecision.Refused> spend(Caller caller, int jobs) {
        var most = quotaOf(caller);
        if (most.isEmpty()) {
            return Optional.empty();
        }
        try {
            return quota.take(caller.name(), most.getAsLong(), jobs)
                    ? Optional.empty()
                    : Optional.of(
                            new AuthDecision.Refused(
                                    429,
                                    "Quota exceeded or not configured",
                                    "client "
                                            + caller.name()
                                            + " may submit "
                                            + most.getAsLong()
                                            + " jobs a month and has "
                                            + quota.left(caller.name(), most.getAsLong())
                                            + " left; the month ends at 00:00 UTC",
                                    Optional.of(quota.untilNextMonth())));
        } catch (IOException failed) {
            LOG.atError()
                    .addKeyValue("client", caller.name())
                    .setCause(failed)
                    .log("a quota could not be written; the job is refused");
            return Optional.of(
                    new AuthDecision.Refused(
                            503,
                            "Failed to check quota",
                            "the log of the orchestrator has more",
                            Optional.of(Duration.ofSeconds(1))));
        }
    }

    /// Jobs that [#spend] took from the quota of `caller` were not made.
    public void giveBack(Caller caller, int jobs) {
        if (quotaOf(caller).isPresent()) {
            quota.giveBack(caller.name(), jobs);
        }
    }

    /// How many jobs `caller` may still submit this month; empty if as many as it likes.
    public OptionalLong left(Caller caller) {
        var most = quotaOf(caller);
        return most.isEmpty() ? most : OptionalLong.of(quota.left(caller.name(), most.getAsLong()));
    }

    /// All clients, in the order of their file.
    public List<Caller> callers() {
        return credentials.clients().values().stream().map(ClientEntry::caller).toList();
    }

    /// How many jobs of `caller` may be open at once; empty: any number.
    public OptionalInt maxOpenJobs(Caller caller) {
        var client = credentials.clients().get(caller.name());
        return client == null ? OptionalInt.empty() : client.maxOpenJobs();
    }

    private OptionalLong quotaOf(Caller caller) {
        var client = credentials.clients().get(caller.name());
        return client == null ? OptionalLong.empty() : client.monthlyAttempts();
    }

    /// How many turns the tasks of each client have that has another weight than most.
    public SequencedMap<String, Double> weights() {
        var weights = new LinkedHashMap<String, Double>();
        credentials
                .clients()
                .forEach((name, client) -> {
                    if (client.weight() != ClientEntry.NORMAL_WEIGHT) {
                        weights.put(name, client.weight());
                    }
                });
        return weights;
    }

    /// What is known of the client `name`.
    public Optional<Caller> client(String name) {
        return Optional.ofNullable(credentials.clients().get(name)).map(ClientEntry::caller);
    }

    /// Who may speak as which worker; follows the files.
    public WorkerAuthentication workers() {
        return new WorkerAuthentication() {
            @Override
            public Decision check(String token, @Nullable WorkerId claimed) {
                var decision = judge(token, claimed);
                if (decision instanceof Decision.Refused) {
                    unauthorized.increment();
                }
                return decision;
            }

            @Override
            public Decision judge(String token, @Nullable WorkerId claimed) {
                if (claimed != null && OwnWorkers.include(claimed)) {
                    return new Decision.Refused(OwnWorkers.refusal(claimed));
                }
                var decision =
                        certificates
                                .find(token, clock.instant())
                                .map(AccessControl.this::certified)
                                .orElseGet(() -> credentials.workerTokens().check(token, claimed));
                return decision instanceof Decision.Named(var owner) && OwnWorkers.include(owner)
                        ? new Decision.Refused(OwnWorkers.refusal(owner))
                        : decision;
            }
        };
    }

    /// Good as long as the files would still let the certificate in, so that nothing that was exchanged for it outlives its removal.
    private WorkerAuthentication.Decision certified(CertificateTokens.Holding found) {
        if (!(found.holder() instanceof TokenHolder.Worker(var name))) {
            return new WorkerAuthentication.Decision.Refused(
                    "Unauthorized: the certificate is not that of a worker");
        }
        var id = new WorkerId(name);
        var known = credentials;
        return (found.isNamed() ? isNamed(known, id) : isGoodByName(known, id))
                ? new WorkerAuthentication.Decision.Named(id)
                : new WorkerAuthentication.Decision.Refused(
                        "Unauthorized: the certificate of worker "
                                + id
                                + " is accepted no longer; see workers.toml");
    }

    /// How often workers may ask.
    public WorkerLimits workerLimits() {
        return new WorkerRates(rateLimiter, connections, linesOfWorkers, () -> settings.rates());
    }

    /// Which of `tasks` the token of `worker` is good for.
    public List<String> tasksFor(WorkerId worker, List<String> tasks) {
        return credentials
                .limitsOf(worker)
                .map(WorkerEntry::tasks)
                .filter(allowed -> !allowed.isEmpty())
                .map(allowed -> tasks.stream().filter(allowed::contains).toList())
                .orElse(tasks);
    }

    /// Whose token `worker` has: that of its name, that of a pattern of names, or the one of all workers, which is also that of agents on the bus.
    public String tokenOf(WorkerId worker) {
        return WorkerNames.find(credentials.workers(), worker)
                .map(entry -> entry.id().value())
                .orElse("");
    }

    /// Whether `worker` has a token or a certificate of its own or of a pattern of names, so that nobody is it without that: also where a table of
    /// its name has none, since over the wires with tokens nobody is it then.
    public boolean hasOwnToken(WorkerId worker) {
        return credentials.isProving(worker);
    }

    /// The clients to whose tasks the token of `worker` is limited; empty: it is good for those of all.
    public List<String> clientsFor(WorkerId worker) {
        return credentials.limitsOf(worker).map(WorkerEntry::clients).orElse(List.of());
    }

    /// Reads the files and the register of tokens again. Tokens that are gone are worth nothing from now on.
    public Reload reload() {
        return reload(settings);
    }

    /// Does so with the settings `other`, whose rates hold also if the files cannot be used.
    public Reload reload(AccessSettings other) {
        reading.lock();
        try {
            settings = settings.withRates(other.rates());
            var reload = use(AccessFiles.read(other, folder, defaults), registerOf(folder));
            if (reload instanceof Reload.Done) {
                settings = other;
            }
            return reload;
        } catch (Unusable damaged) {
            return refused(List.of(String.valueOf(damaged.getMessage())));
        } finally {
            reading.unlock();
        }
    }

    /// Reads the register of tokens again and leaves the files as they were read last, so that a token can be revoked
    /// while somebody edits them.
    public Reload reloadTokens() {
        reading.lock();
        try {
            return use(files, registerOf(folder));
        } catch (Unusable damaged) {
            return refused(List.of(String.valueOf(damaged.getMessage())));
        } finally {
            reading.unlock();
        }
    }

    private Reload use(AccessFiles read, TokenRegister current) {
        var found = Credentials.of(read, current, clock);
        warn(found);
        if (!found.problems().isEmpty()) {
            return refused(found.problems());
        }
        var isOther = !read.equals(files) || !current.equals(register);
        files = read;
        register = current;
        credentials = found.credentials();
        if (isOther) {
            // Behind what it stands for: who sees it sees that as well.
            revision.incrementAndGet();
        }
        var clients = credentials.clients().size();
        var workers = credentials.workers().size();
        LOG.atInfo()
                .addKeyValue("clients", clients)
                .addKeyValue("workers", workers)
                .log("clients and workers reloaded");
        return new Reload.Done(clients, workers);
    }

    private static Reload refused(List<String> problems) {
        LOG.atError()
                .addKeyValue("problems", problems)
                .log("clients and workers cannot be reloaded; the current ones stay in force");
        return new Reload.Refused(problems);
    }

    /// The same as long as the content of the files is. Waits for nothing.
    public long revision() {
        return revision.get();
    }

    /// The register of tokens that is in force.
    public TokenRegister tokens() {
        reading.lock();
        try {
            return register;
        } finally {
            reading.unlock();
        }
    }

    /// Whether a client's token has ended after `since` and until `until`.
    public boolean hasEnded(Instant since, Instant until) {
        return credentials.byToken().values().stream()
                .map(held -> held.token().grant())
                .anyMatch(grant -> grant.isGood(since) && !grant.isGood(until));
    }

    /// How many requests came too soon since the start.
    public long limited() {
        return rateLimiter.refused();
    }

    /// How many requests had no good token since the start.
    public long unauthorized() {
        return unauthorized.sum();
    }

    @Override
    public void close() {
        try {
            quota.save();
        } catch (IOException failed) {
            LOG.atWarn().setCause(failed).log("returned quotas could not be written");
        }
    }
}
