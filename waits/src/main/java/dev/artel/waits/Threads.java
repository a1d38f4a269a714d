package dev.artel.waits;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.stream.Collectors;

/// What the threads of this process do, virtual ones too.
final class Threads {
    private static final int MOST = 40;
    private static final int FRAMES = 16;
    private static final int LONGEST = 40_000;
    private static final String OF_THE_PROJECT = "dev.artel";

    private Threads() {}

    /// The threads that run or wait in code of this project, in a text of bounded size.
    static String dump() {
        try {
            var folder = Files.createTempDirectory("artel-threads");
            var file = folder.resolve("dump");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(
                                file.toString(),
                                HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
                return bounded(Files.readString(file));
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException | RuntimeException e) {
            return "\n--- threads\nnot to be read: " + e;
        }
    }

    private static String bounded(String dump) {
        var threads =
                Arrays.stream(dump.split("\n\n", -1)).filter(it -> it.startsWith("#")).toList();
        var own = threads.stream().filter(it -> it.contains(OF_THE_PROJECT)).toList();
        var text =
                own.stream()
                        .limit(MOST)
                        .map(it -> it.lines().limit(FRAMES).collect(Collectors.joining("\n")))
                        .collect(Collectors.joining("\n"));
        return "\n--- threads: %d of %d in code of %s%s\n%s"
                .formatted(
                        own.size(),
                        threads.size(),
                        OF_THE_PROJECT,
                        own.size() > MOST ? ", the first " + MOST : "",
                        Text.bounded(text, LONGEST));
    }
}
