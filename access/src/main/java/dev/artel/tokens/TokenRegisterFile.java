package dev.artel.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.files.PrivateFiles;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// `access-tokens.json` of a data folder: the register of tokens, which a person changes and the orchestrator reads.
/// Beside it the orchestrator keeps which revision it has taken up.
public final class TokenRegisterFile {
    /// Its name in the data folder.
    public static final String NAME = "access-tokens.json";

    private static final String TAKEN = "access-tokens.applied";
    private static final String LOCK = "access-tokens.lock";

    private final Path folder;

    /// That of the data folder `folder`.
    public TokenRegisterFile(Path folder) {
        this.folder = folder;
    }

    /// The register is damaged.
    public static final class Unusable extends RuntimeException {
        @java.io.Serial private static final long serialVersionUID = 1;

        private Unusable(Path file, String why, Exception cause) {
            super(
                    "the register of tokens "
                            + file
                            + " cannot be used ("
                            + why
                            + "); restore it from a backup, or remove it: then no added token is good,"
                            + " and no revoked one is refused",
                    cause);
        }
    }

    /// What changes whenever the file does; empty if it is not there.
    public String stamp() throws IOException {
        try {
            var its =
                    Files.readAttributes(
                            folder.resolve(NAME),
                            java.nio.file.attribute.BasicFileAttributes.class);
            return its.lastModifiedTime() + " " + its.size() + " " + its.fileKey();
        } catch (NoSuchFileException none) {
            return "";
        }
    }

    /// The register; an empty one if there is no file.
    ///
    /// @throws Unusable if it is damaged or cannot be read
    public TokenRegister read() {
        var file = folder.resolve(NAME);
        try {
            return JsonText.read(Files.readAllBytes(file)) instanceof JsonObject json
                    ? register(json)
                    : fail(file);
        } catch (NoSuchFileException none) {
            return TokenRegister.EMPTY;
        } catch (IOException | MalformedJson failed) {
            throw new Unusable(file, String.valueOf(failed.getMessage()), failed);
        } catch (NoSuchElementException | DateTimeException | ClassCastException foreign) {
            throw new Unusable(file, "something in it is missing or has another form", foreign);
        }
    }

    private static TokenRegister fail(Path file) {
        throw new Unusable(file, "it is no object", new IllegalStateException("no object"));
    }

    /// Changes the register, one after the other if several do; durable when the call returns.
    ///
    /// @return the register with the change
    /// @throws Unusable if it is damaged
    public TokenRegister change(UnaryOperator<TokenRegister> change) throws IOException {
        var lock = folder.resolve(LOCK);
        PrivateFiles.makeFile(lock);
        try (var channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            var changed = change.apply(read());
            replace(NAME, JsonText.write(json(changed)));
            return changed;
        }
    }

    /// The revision that an orchestrator on this folder has taken up; 0: none.
    public long taken() throws IOException {
        try {
            return Long.parseLong(Files.readString(folder.resolve(TAKEN)).strip());
        } catch (NoSuchFileException none) {
            return 0;
        } catch (NumberFormatException damaged) {
            return 0; // taken up anew, which adds lines to the audit that are there already
        }
    }

    /// An orchestrator has taken up `revision`.
    public void take(long revision) throws IOException {
        replace(TAKEN, (revision + "\n").getBytes(UTF_8));
    }

    /// Written beside its place and moved there, so that a crash leaves no half of it.
    private void replace(String name, byte[] content) throws IOException {
        var beside = folder.resolve(name + ".new");
        Files.deleteIfExists(beside);
        PrivateFiles.makeFile(beside);
        Files.write(beside, content, StandardOpenOption.SYNC);
        Files.move(beside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static JsonObject json(TokenRegister register) {
        var tokens = new ArrayList<JsonValue>();
        for (var token : register.issued()) {
            var one = holder(token.holder()).put("sha256", token.grant().digest().hex());
            token.grant().expires().ifPresent(end -> one.put("expires_at", end.toString()));
            tokens.add(
                    one.put("created_at", token.created().toString())
                            .put("by", token.by())
                            .build());
        }
        var revoked = new ArrayList<JsonValue>();
        register.revoked()
                .forEach((digest, end) ->
                        revoked.add(
                                JsonObject.builder()
                                        .put("sha256", digest.hex())
                                        .put("at", end.toString())
                                        .build()));
        var changes = new ArrayList<JsonValue>();
        for (var change : register.changes()) {
            changes.add(
                    JsonObject.builder()
                            .put("revision", change.revision())
                            .put("at", change.at().toString())
                            .put("by", change.by())
                            .put("act", change.act())
                            .put("detail", change.detail())
                            .build());
        }
        return JsonObject.builder()
                .put("revision", register.revision())
                .put("tokens", new JsonArray(tokens))
                .put("revoked", new JsonArray(revoked))
                .put("changes", new JsonArray(changes))
                .build();
    }

    private static JsonObject.Builder holder(TokenHolder holder) {
        var json = JsonObject.builder();
        return switch (holder) {
            case TokenHolder.Client(var name) -> json.put("client", name);
            case TokenHolder.Worker(var id) -> json.put("worker", id);
            case TokenHolder.AllWorkers _ -> json.put("workers", true);
        };
    }

    private static TokenRegister register(JsonObject json) {
        var issued = new ArrayList<TokenRegister.Issued>();
        for (var token : objects(json, "tokens")) {
            issued.add(
                    new TokenRegister.Issued(
                            holder(token),
                            new TokenGrant(
                                    digest(token), token.string("expires_at").map(Instant::parse)),
                            instant(token, "created_at"),
                            token.string("by").orElseThrow()));
        }
        var revoked = new LinkedHashMap<TokenDigest, Instant>();
        objects(json, "revoked").forEach(one -> revoked.put(digest(one), instant(one, "at")));
        var changes = new ArrayList<TokenRegister.Change>();
        for (var change : objects(json, "changes")) {
            changes.add(
                    new TokenRegister.Change(
                            whole(change, "revision"),
                            instant(change, "at"),
                            change.string("by").orElseThrow(),
                            change.string("act").orElseThrow(),
                            change.string("detail").orElseThrow()));
        }
        return new TokenRegister(whole(json, "revision"), issued, revoked, changes);
    }

    private static List<JsonObject> objects(JsonObject json, String name) {
        return json.array(name).orElseThrow().stream().map(JsonObject.class::cast).toList();
    }

    private static TokenHolder holder(JsonObject token) {
        return token.string("client")
                .<TokenHolder>map(TokenHolder.Client::new)
                .or(() -> token.string("worker").map(TokenHolder.Worker::new))
                .orElseGet(TokenHolder.AllWorkers::new);
    }

    private static TokenDigest digest(JsonObject json) {
        return json.string("sha256").flatMap(TokenDigest::ofHex).orElseThrow();
    }

    private static Instant instant(JsonObject json, String name) {
        return json.string(name).map(Instant::parse).orElseThrow();
    }

    private static long whole(JsonObject json, String name) {
        return Optional.of(json)
                .flatMap(each -> each.get(name))
                .map(dev.artel.json.JsonNumber.class::cast)
                .orElseThrow()
                .asLong();
    }
}
