package dev.artel.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The token of a client in a file, and nowhere on the command line, which others of the machine can read. Commands mix it in.
final class TokenOption {
    /// How messages name it.
    static final String NAME = "--token-file";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description = "with the token of a client in its first line; else $ARTEL_TOKEN")
    private Optional<Path> file = Optional.empty();

    /// Earlier versions took the token itself.
    @Option(names = "--token", paramLabel = "TOKEN", hidden = true)
    private Optional<String> token = Optional.empty();

    /// Whether a file is named.
    boolean isGiven() {
        return file.isPresent();
    }

    /// The token; empty if no file is named.
    ///
    /// @throws CliFailure if the file has none, or there is a token on the command line
    Optional<String> read() {
        if (token.isPresent()) {
            throw CliFailure.usage(
                    "--token is a secret, which others could read on a command line; name a file"
                            + " with --token-file, set ARTEL_TOKEN, or run artel login, which asks"
                            + " for it");
        }
        return file.map(TokenOption::firstLine);
    }

    private static String firstLine(Path file) {
        try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            var line = lines.readLine();
            if (line == null || line.isBlank()) {
                throw CliFailure.usage("there is no token in the first line of " + file);
            }
            return line.strip();
        } catch (IOException unreadable) {
            throw CliFailure.unreadable(file, unreadable);
        }
    }
}
