package dev.artel.cli;

import dev.artel.client.ClientException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Something that a person typed and that makes no sense, or a job that did not end well.
public final class CliFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    CliFailure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /// One for what cannot be used as it was typed.
    static CliFailure usage(String message) {
        return new CliFailure(ArtelCommand.USAGE, message);
    }

    /// One for a file that cannot be read.
    static CliFailure unreadable(Path file, IOException why) {
        return usage(
                switch (why) {
                    case NoSuchFileException _ -> "there is no file " + file;
                    case AccessDeniedException _ -> "the file " + file + " may not be read";
                    default -> "cannot read " + file + ": " + why.getMessage();
                });
    }

    /// One for a token that is not good, or does not allow what was asked for.
    ///
    /// @param source where the token came from
    static CliFailure unauthorized(ClientException.Unauthorized refused, String source) {
        var isUnknown = refused.code().filter("unauthenticated"::equals).isPresent();
        return new CliFailure(
                ArtelCommand.UNAUTHORIZED,
                refused.getMessage()
                        + "; the token came from "
                        + source
                        + (isUnknown
                                ? ". artel login URL keeps another one, and where the orchestrator runs, artel token show client prints one"
                                : ""));
    }

    /// With which the program ends.
    public int exitCode() {
        return exitCode;
    }
}
