package dev.artel.gateway.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How many files this process may have open at once. Each connection is one.
public final class FileLimit {
    private static final Logger LOG = LoggerFactory.getLogger(FileLimit.class);
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String NAME = "Max open files";

    private FileLimit() {}

    /// As many as the operating system lets it have; [Integer#MAX_VALUE] where that is unknown or without a bound.
    public static int most() {
        if (!Files.exists(LIMITS)) {
            return Integer.MAX_VALUE;
        }
        try {
            return most(Files.readAllLines(LIMITS));
        } catch (IOException unreadable) {
            LOG.atDebug().setCause(unreadable).log("the limits of this process cannot be read");
            return Integer.MAX_VALUE;
        }
    }

    /// As in `/proc/self/limits`, of proc(5).
    static int most(List<String> limits) {
        for (var line : limits) {
            if (line.startsWith(NAME)) {
                var number = line.substring(NAME.length()).strip().split(" ", 2)[0];
                try {
                    return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(number));
                } catch (NumberFormatException unlimited) {
                    return Integer.MAX_VALUE;
                }
            }
        }
        return Integer.MAX_VALUE;
    }
}
