package dev.artel.maintenance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.access.AccessControl;
import dev.artel.files.PrivateFiles;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.store.sqlite.SqliteMaintenance;
import dev.artel.tokens.KnownToken;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenGrant;
import dev.artel.tokens.TokenHolder;
import dev.artel.tokens.TokenRegister;
import dev.artel.tokens.TokenRegisterFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Adds, revokes and lists tokens of a data folder. An orchestrator that runs on it takes each change up by itself.
public final class TokenCommands {
    private static final int BYTES = 24;
    private static final int SHOWN = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Path data;
    private final Function<TokenRegister, AccessControl.Overview> overview;
    private final InstantSource clock;
    private final String by;

    /// The tokens of the data folder `data`.
    ///
    /// @param overview what there would be with a register; throws what is wrong with the files beside it
    /// @param by the user who does this, for the audit
    public TokenCommands(
            Path data,
            Function<TokenRegister, AccessControl.Overview> overview,
            InstantSource clock,
            String by) {
        this.data = data.toAbsolutePath().normalize();
        this.overview = overview;
        this.clock = clock;
        this.by = by;
    }

    /// What was done.
    ///
    /// @param token the only copy of a token that was made; empty: none was made, or it is in a file
    /// @param report for a person
    /// @param isInForce false: an orchestrator runs and has not taken it up
    public record Done(Optional<String> token, String report, boolean isInForce) {}

    /// Adds a token.
    ///
    /// @param holder `client NAME`, `worker ID` or `workers`
    /// @param lasting how long it is good; empty: until it is revoked
    /// @param digest of a token that was made elsewhere, in hexadecimal; empty: one is made
    /// @param file takes the token; it must not be there
    /// @throws MaintenanceFailed if it cannot be done
    public Done add(
            List<String> holder,
            Optional<Duration> lasting,
            Optional<String> digest,
            Optional<Path> file) {
        var attempted = "token add " + String.join(" ", holder) + ": ";
        var whose = holder(attempted, holder);
        if (digest.isPresent() && file.isPresent()) {
            throw failed(attempted, "with --sha256 there is no token to write to a file");
        }
        var token = fresh();
        var key =
                digest.map(hex ->
                                TokenDigest.ofHex(hex)
                                        .orElseThrow(() ->
                                                failed(
                                                        attempted,
                                                        "--sha256 must be 64 hexadecimal digits")))
                        .orElseGet(() -> TokenDigest.of(token));
        var now = clock.instant();
        var expires = lasting.map(time -> later(attempted, now, time));
        var issued = new TokenRegister.Issued(whose, new TokenGrant(key, expires), now, by);
        file.ifPresent(path -> write(attempted, path, token));
        long revision;
        try {
            revision =
                    change(
                            attempted,
                            register -> {
                                check(attempted, whose, overview(attempted, register));
                                var more = register.with(issued);
                                var _ = overview(attempted, more);
                                return more;
                            });
        } catch (MaintenanceFailed nothing) {
            file.ifPresent(TokenCommands::remove);
            throw nothing;
        }
        return taken(
                revision,
                digest.isPresent() || file.isPresent() ? Optional.empty() : Optional.of(token),
                "token "
                        + key.id()
                        + " of "
                        + whose
                        + expires.map(end -> " is good until " + end)
                                .orElse(" is good until it is revoked")
                        + file.map(path -> ", and is in " + path.toAbsolutePath()).orElse(""));
    }

    /// Ends a token.
    ///
    /// @param id as [#list] shows it, or the whole digest
    /// @param grace how long it is still good; empty: no longer
    /// @throws MaintenanceFailed if it cannot be done
    public Done revoke(String id, Optional<Duration> grace) {
        var attempted = "token revoke " + id + ": ";
        var now = clock.instant();
        var end = grace.map(time -> later(attempted, now, time)).orElse(now);
        var report = new ArrayList<String>();
        var revision =
                change(
                        attempted,
                        register -> {
                            var found = find(attempted, id, register);
                            report.add(found.whose());
                            return register.ended(found.whose(), found.digest(), end, now, by);
                        });
        return taken(
                revision,
                Optional.empty(),
                "token "
                        + id
                        + " ("
                        + report.getLast()
                        + ") is good "
                        + (grace.isEmpty() ? "no longer" : "until " + end + " at the latest"));
    }

    /// A line for each token, those that have ended last.
    ///
    /// @throws MaintenanceFailed if they cannot be read
    public List<String> list() {
        var now = clock.instant();
        var lines = new ArrayList<String>();
        lines.add(line("ID", "HOLDER", "STATE", "FROM"));
        var tokens = overview("token list: ", registerOf("token list: ")).tokens();
        for (var isGood : List.of(true, false)) {
            for (var token : tokens) {
                if (token.grant().isGood(now) == isGood) {
                    lines.add(
                            line(
                                    token.id(),
                                    token.holder().toString(),
                                    state(token, now),
                                    token.source()));
                }
            }
        }
        return lines;
    }

    /// One of the two tokens that were made at the first start.
    ///
    /// @param whose `client` or `worker`
    /// @throws MaintenanceFailed if there are none
    public String show(String whose) {
        var attempted = "token show " + whose + ": ";
        var file = data.resolve("tokens.json");
        try {
            if (JsonText.read(Files.readAllBytes(file)) instanceof JsonObject tokens) {
                return tokens.string(whose + "_token")
                        .orElseThrow(() -> failed(attempted, "name client or worker"));
            }
            throw failed(attempted, file + " is no object");
        } catch (NoSuchFileException none) {
            throw new MaintenanceFailed(
                    attempted
                            + "there is no "
                            + file
                            + ": no orchestrator was started there without tokens of your own choice;"
                            + " name the data folder with --data",
                    none);
        } catch (IOException | MalformedJson failed) {
            throw new MaintenanceFailed(
                    attempted + "cannot read " + file + " (" + failed + ")", failed);
        }
    }

    private static String line(String id, String holder, String state, String source) {
        return "%-13s %-28s %-40s %s".formatted(id, holder, state, source);
    }

    private static String state(KnownToken token, Instant now) {
        var end = token.grant().expires();
        if (end.isEmpty()) {
            return "good";
        }
        return (token.isRevoked() ? "revoked, " : "")
                + (token.grant().isGood(now) ? "good until " : "ended ")
                + end.get();
    }

    private static TokenHolder holder(String attempted, List<String> words) {
        if (words.size() == 2 && words.getFirst().equals("client")) {
            return new TokenHolder.Client(words.get(1));
        }
        if (words.size() == 2 && words.getFirst().equals("worker")) {
            return new TokenHolder.Worker(words.get(1));
        }
        if (words.equals(List.of("workers"))) {
            return new TokenHolder.AllWorkers();
        }
        throw failed(
                attempted,
                "name whose it is: client NAME, worker ID, or workers for all workers that have none"
                        + " of their own");
    }

    private static void check(String attempted, TokenHolder holder, AccessControl.Overview known) {
        switch (holder) {
            case TokenHolder.Client(var name) when !known.clients().contains(name) ->
                    throw failed(
                            attempted,
                            "there is no client "
                                    + name
                                    + "; there are "
                                    + String.join(", ", known.clients())
                                    + ". Add a table ["
                                    + name
                                    + "] to clients.toml first");
            case TokenHolder.AllWorkers _ when !known.isSharedTokenAllowed() ->
                    throw failed(
                            attempted,
                            "access.shared-worker-token is false, so that each worker needs a token"
                                    + " of its own: token add worker ID");
            case TokenHolder.Worker(var id) -> {
                try {
                    var _ = new dev.artel.kernel.attempt.WorkerId(id);
                } catch (IllegalArgumentException noName) {
                    throw new MaintenanceFailed(attempted + noName.getMessage(), noName);
                }
            }
            default -> {
                // nothing to look at
            }
        }
    }

    /// A token that an operator means.
    private record Meant(TokenDigest digest, String whose) {}

    /// The token that `id` means. A whole digest is taken as it is where the files cannot be read at this moment: a
    /// revocation must not wait until an operator has recovered them.
    private Meant find(String attempted, String id, TokenRegister register) {
        List<KnownToken> known;
        try {
            known = overview(attempted, register).tokens();
        } catch (MaintenanceFailed unreadable) {
            return register.issued().stream()
                    .filter(token -> isNamed(id, token.grant()))
                    .map(token -> new Meant(token.grant().digest(), token.holder().toString()))
                    .findFirst()
                    .or(() ->
                            TokenDigest.ofHex(id)
                                    .map(digest -> new Meant(digest, "an unknown holder")))
                    .orElseThrow(() -> unreadable);
        }
        var found = known.stream().filter(token -> isNamed(id, token.grant())).toList();
        if (found.isEmpty()) {
            throw failed(
                    attempted,
                    "there is no such token; there are "
                            + String.join(
                                    ", ",
                                    known.stream()
                                            .limit(SHOWN)
                                            .map(token -> token.id() + " (" + token.holder() + ")")
                                            .toList())
                            + (known.size() > SHOWN ? " and others, see token list" : ""));
        }
        if (found.stream().map(token -> token.grant().digest()).distinct().count() > 1) {
            throw failed(
                    attempted,
                    "several tokens begin like that; give the whole SHA-256 of the token");
        }
        var one = found.getFirst();
        return new Meant(one.grant().digest(), one.holder() + ", " + one.source());
    }

    private static boolean isNamed(String id, TokenGrant token) {
        return token.digest().id().equals(id) || token.digest().hex().equals(id);
    }

    private static Instant later(String attempted, Instant now, Duration time) {
        try {
            return now.plus(time).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
        } catch (DateTimeException | ArithmeticException endless) {
            throw new MaintenanceFailed(attempted + time + " is too long", endless);
        }
    }

    private long change(String attempted, java.util.function.UnaryOperator<TokenRegister> change) {
        if (!Files.isDirectory(data)) {
            throw failed(attempted, "there is no data folder " + data + "; name it with --data");
        }
        try {
            return new TokenRegisterFile(data).change(change).revision();
        } catch (IOException | IllegalStateException | TokenRegisterFile.Unusable failed) {
            throw new MaintenanceFailed(attempted + failed.getMessage(), failed);
        }
    }

    private TokenRegister registerOf(String attempted) {
        if (!Files.isDirectory(data)) {
            throw failed(attempted, "there is no data folder " + data + "; name it with --data");
        }
        try {
            return new TokenRegisterFile(data).read();
        } catch (TokenRegisterFile.Unusable damaged) {
            throw new MaintenanceFailed(attempted + damaged.getMessage(), damaged);
        }
    }

    private AccessControl.Overview overview(String attempted, TokenRegister register) {
        try {
            return overview.apply(register);
        } catch (MaintenanceFailed described) {
            throw described;
        } catch (RuntimeException wrong) {
            throw new MaintenanceFailed(attempted + wrong.getMessage(), wrong);
        }
    }

    private static void write(String attempted, Path file, String token) {
        try {
            PrivateFiles.makeNewFile(file);
            Files.write(file, (token + "\n").getBytes(UTF_8), StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException there) {
            throw new MaintenanceFailed(
                    attempted + file + " is there already; choose another name", there);
        } catch (IOException failed) {
            throw new MaintenanceFailed(
                    attempted + "cannot write " + file + " (" + failed + ")", failed);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            throw new MaintenanceFailed(
                    "token add: nothing was added, and "
                            + file
                            + " has a token that is good for nothing ("
                            + left
                            + ")",
                    left);
        }
    }

    /// Waits until an orchestrator that runs has taken up `revision`.
    private Done taken(long revision, Optional<String> token, String report) {
        var file = new TokenRegisterFile(data);
        var store = new SqliteMaintenance(data.resolve(DataFiles.DATABASE));
        var until = System.nanoTime() + TIMEOUT.toNanos();
        try {
            while (store.isHeld()) {
                if (file.taken() >= revision) {
                    return new Done(token, report, true);
                }
                if (System.nanoTime() > until) {
                    return new Done(
                            token,
                            report
                                    + "; the orchestrator on this folder has not taken it up within "
                                    + TIMEOUT.toSeconds()
                                    + " s, and its log states why",
                            false);
                }
                Thread.sleep(PAUSE);
            }
        } catch (IOException failed) {
            return new Done(
                    token,
                    report
                            + "; cannot see whether an orchestrator has taken it up ("
                            + failed
                            + ")",
                    false);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Done(token, report + "; interrupted before it was taken up", false);
        }
        return new Done(token, report + "; no orchestrator runs on " + data, true);
    }

    private static String fresh() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static MaintenanceFailed failed(String attempted, String found) {
        return new MaintenanceFailed(attempted + found, null);
    }
}
