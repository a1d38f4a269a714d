package dev.artel.cli;

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

    /// With which the program ends.
    public int exitCode() {
        return exitCode;
    }
}
