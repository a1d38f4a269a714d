package dev.artel.benchmarks;

/// Arguments or files of `bench` are wrong; the message says what to do.
final class BenchRefused extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BenchRefused(String message) {
        super(message);
    }

    BenchRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
