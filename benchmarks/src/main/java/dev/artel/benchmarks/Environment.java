package dev.artel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// What was measured, when, and where.
///
/// @param version of Artel; empty if it is not known
/// @param commit with `+` behind it if files differ from it; empty if it is not known
/// @param memoryMegabytes of the machine
/// @param flags of the JVM of the benchmarks; their other processes have flags of their own
record Environment(
        String version,
        String commit,
        Instant begun,
        String java,
        String system,
        int cores,
        long memoryMegabytes,
        List<String> flags) {
    private static final Pattern VERSION =
            Pattern.compile("^    <version>(.*)</version>$", Pattern.MULTILINE);
    private static final int LONGEST_SECONDS = 10;

    static Environment current(Instant begun) {
        var home = Path.of(System.getProperty("artel.home", "."));
        var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Environment(
                version(home.resolve("pom.xml")),
                commit(home),
                begun,
                Runtime.version().toString(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                machine.getAvailableProcessors(),
                machine.getTotalMemorySize() >> 20,
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(flag -> !flag.startsWith("-Dartel.home="))
                        .toList());
    }

    private static String version(Path pom) {
        try {
            var found = VERSION.matcher(Files.readString(pom));
            return found.find() ? found.group(1) : "";
        } catch (IOException unknown) {
            return "";
        }
    }

    private static String commit(Path home) {
        var commit = git(home, "rev-parse", "--short=12", "HEAD");
        var isChanged = !git(home, "status", "--porcelain", "--untracked-files=no").isEmpty();
        return isChanged ? commit + "+" : commit;
    }

    /// What git prints; nothing if it is not there, or this is no clone.
    private static String git(Path home, String... arguments) {
        var command = new ArrayList<>(List.of("git", "-C", home.toString()));
        command.addAll(List.of(arguments));
        try {
            var git =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0
                    ? output.strip()
                    : "";
        } catch (IOException unknown) {
            return "";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    JsonObject json() {
        return JsonObject.builder()
                .put("version", version)
                .put("commit", commit)
                .put("begun", begun.toString())
                .put("java", java)
                .put("system", system)
                .put("cores", cores)
                .put("memory_mb", memoryMegabytes)
                .put("jvm_flags", JsonArray.ofStrings(flags))
                .build();
    }
}
