package dev.artel.server.wiring;

import dev.artel.config.Secret;
import dev.artel.files.PrivateFiles;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Keeps the tokens in the data folder, in a file that only its owner may read.
final class TokenFile {
    static final String NAME = "tokens.json";
    private static final int BYTES = 24;

    private TokenFile() {}

    /// The tokens of `folder`, made now if there are none.
    ///
    /// @throws StartupException if they cannot be read or written
    static Tokens in(Path folder) {
        var file = folder.resolve(NAME);
        try {
            return Files.exists(file) ? read(file) : make(folder, file);
        } catch (IOException e) {
            throw new StartupException(
                    "cannot read or write the tokens in "
                            + file
                            + " ("
                            + e
                            + "); check its permissions",
                    e);
        }
    }

    private static Tokens read(Path file) throws IOException {
        try {
            if (JsonText.read(Files.readAllBytes(file)) instanceof JsonObject json) {
                var client = json.string("client_token").filter(Secret::isValid);
                var worker = json.string("worker_token").filter(Secret::isValid);
                if (client.isPresent() && worker.isPresent()) {
                    PrivateFiles.restrict(file);
                    return new Tokens(new Secret(client.get()), new Secret(worker.get()), false);
                }
            }
        } catch (MalformedJson malformed) {
            throw unusable(file, malformed);
        }
        throw unusable(file, null);
    }

    private static StartupException unusable(Path file, @Nullable MalformedJson cause) {
        return new StartupException(
                "the tokens in "
                        + file
                        + " cannot be used"
                        + (cause == null ? "" : " (" + cause.getMessage() + ")")
                        + ": client_token and worker_token must be texts of at least "
                        + Secret.MIN_LENGTH
                        + " characters; fix the file, or remove it to get new tokens",
                cause);
    }

    /// Written beside its place and moved there, so that a crash leaves no half of it.
    private static Tokens make(Path folder, Path file) throws IOException {
        var random = new SecureRandom();
        var tokens = new Tokens(fresh(random), fresh(random), true);
        var json =
                JsonObject.builder()
                        .put("client_token", tokens.client().value())
                        .put("worker_token", tokens.worker().value())
                        .build();
        var beside = folder.resolve(NAME + ".new");
        Files.deleteIfExists(beside);
        PrivateFiles.makeFile(beside);
        Files.write(beside, JsonText.write(json));
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException _) {
            return read(file);
        }
        return tokens;
    }

    /// A token that is nowhere yet.
    static Secret fresh() {
        return fresh(new SecureRandom());
    }

    private static Secret fresh(SecureRandom random) {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
}
