package dev.artel.worker.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// How much memory a process uses, as Linux shows it.
final class MemoryUse {
    private static final long KIBIBYTE = 1024;

    private MemoryUse() {}

    /// The resident bytes of `process` and of all that it has started; 0 where the system does not show them.
    static long of(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .mapToLong(one -> resident(one.pid()))
                .sum();
    }

    private static long resident(long pid) {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
                    .sum();
        } catch (IOException | UncheckedIOException goneOrNotLinux) {
            return 0;
        }
    }
}
