package dev.artel.worker.config;

import java.util.Map;

/// The environment of this process.
public final class ProcessEnvironment {
    private ProcessEnvironment() {}

    /// Its variables, by name.
    public static Map<String, String> read() {
        return System.getenv();
    }
}
