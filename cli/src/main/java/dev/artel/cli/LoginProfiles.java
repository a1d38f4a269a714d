package dev.artel.cli;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The orchestrators that a person works with, in a file that only its owner can read: `$XDG_CONFIG_HOME/artel/profiles.json`, by default in `~/.config`. Not safe for use by several threads.
final class LoginProfiles {
    /// The profile that is used without `--profile`.
    static final String DEFAULT = "default";

    private final Path file;

    /// Where an orchestrator is, and the token of a client.
    record Profile(URI url, String token) {}

    LoginProfiles(Path file) {
        this.file = file;
    }

    static LoginProfiles of(Map<String, String> environment) {
        var home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        var config = environment.getOrDefault("XDG_CONFIG_HOME", home + "/.config");
        return new LoginProfiles(Path.of(config, "artel", "profiles.json"));
    }

    Path file() {
        return file;
    }

    Optional<Profile> find(String name) {
        return read().object(name)
                .map(it ->
                        new Profile(
                                URI.create(it.string("url").orElse("")),
                                it.string("token").orElse("")));
    }

    /// The names of all profiles and their addresses, a line each.
    String text() {
        return read().members().entrySet().stream()
                .map(it ->
                        it.getKey()
                                + "  "
                                + (it.getValue() instanceof JsonObject profile
                                        ? profile.string("url").orElse("")
                                        : ""))
                .collect(Collectors.joining("\n"));
    }

    /// Keeps `profile` under `name`, in place of an earlier one.
    void keep(String name, Profile profile) {
        var all = JsonObject.builder();
        all.putAll(read());
        all.put(
                name,
                JsonObject.of(
                        "url",
                        new JsonString(profile.url().toString()),
                        "token",
                        new JsonString(profile.token())));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            var next = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(next);
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        next,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
            }
            Files.write(next, JsonText.write(all.build()));
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot write the profiles " + file, unwritable);
        }
    }

    private JsonObject read() {
        try {
            if (JsonText.read(Files.readAllBytes(file)) instanceof JsonObject all) {
                return all;
            }
            throw CliFailure.usage("the profiles " + file + " are no object; log in again");
        } catch (NoSuchFileException none) {
            return JsonObject.EMPTY;
        } catch (MalformedJson broken) {
            throw CliFailure.usage(
                    "the profiles " + file + " cannot be read: " + broken.getMessage());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the profiles " + file, unreadable);
        }
    }
}
