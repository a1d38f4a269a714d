package dev.artel.e2e.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The wall clock of the orchestrator's process, which libfaketime sets ahead and back while it runs. Its monotonic clock goes on
/// as ever.
final class Clock {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
                    Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
                    Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    private final Path library;
    private final Path file;
    private Duration offset = Duration.ZERO;
    private Duration latest = Duration.ZERO;

    private Clock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /// Empty if libfaketime is not installed.
    static Optional<Clock> in(Path folder) throws IOException {
        var library = PLACES.stream().filter(Files::exists).findFirst();
        if (library.isEmpty()) {
            return Optional.empty();
        }
        var clock = new Clock(library.get(), folder.resolve("clock"));
        clock.set(Duration.ZERO);
        return Optional.of(clock);
    }

    /// What makes a process live by this clock.
    Map<String, String> environment() {
        var environment = new LinkedHashMap<String, String>();
        environment.put("LD_PRELOAD", library.toString());
        environment.put("FAKETIME_TIMESTAMP_FILE", file.toString());
        environment.put("FAKETIME_CACHE_DURATION", "1");
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // Timed waits go by the monotonic clock. Without this the library moves their deadlines as
        // if they were of the wall clock:
        // while it is set ahead they all end at once, and the threads that wait spin.
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        environment.put("NO_FAKE_STAT", "1");
        return environment;
    }

    /// Sets the clock to so much ahead of the true one, or back.
    void set(Duration next) throws IOException {
        offset = next;
        if (next.compareTo(latest) > 0) {
            latest = next;
        }
        var seconds = next.toSeconds();
        var temporary = file.resolveSibling("clock.new");
        Files.writeString(temporary, (seconds < 0 ? "" : "+") + seconds + "\n");
        Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /// Sets it to the latest time that it ever had, so that whatever was to wait until then is due.
    void settle() throws IOException {
        set(latest.plusSeconds(1));
    }

    Duration offset() {
        return offset;
    }
}
