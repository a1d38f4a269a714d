package dev.artel.e2e.kill;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// SIGHUP in processes of the tests. `nohup` has the build ignore it, and what the build starts as well: such a process would never see
/// the signal that a test sends.
final class HangUp {
    private static final Path STATUS = Path.of("/proc/self/status");

    /// The word before the signals that a process ignores, in hexadecimal digits; the lowest bit is SIGHUP.
    private static final String IGNORED = "SigIgn:";

    private static final List<String> RESTORED = List.of("env", "--default-signal=HUP");

    private HangUp() {}

    /// What comes before a command, so that its process sees the signal; empty where it does anyway, or where no `env` can do it.
    static List<String> restored() throws IOException {
        return isIgnored() && canRestore() ? RESTORED : List.of();
    }

    /// Skips the test if processes of the tests ignore the signal.
    static void assumeHeard() throws IOException {
        assumeTrue(
                !isIgnored() || canRestore(),
                "SIGHUP is ignored, as nohup has it, and env cannot restore it here");
    }

    private static boolean isIgnored() throws IOException {
        if (!Files.isReadable(STATUS)) {
            return false;
        }
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(IGNORED))
                .mapToLong(line ->
                        Long.parseUnsignedLong(line.substring(IGNORED.length()).strip(), 16))
                .anyMatch(signals -> (signals & 1) == 1);
    }

    private static boolean canRestore() {
        try {
            var process = new ProcessBuilder("env", RESTORED.getLast(), "true").start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
