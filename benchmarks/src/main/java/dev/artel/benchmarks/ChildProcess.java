package dev.artel.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Another JVM of a benchmark, with the same class path. It prints a line when it is ready, answers each line with a
/// line, and ends when its input does.
final class ChildProcess implements AutoCloseable {
    /// Enough for a machine that is five times slower.
    private static final int SECONDS_TO_END = 60;

    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private ChildProcess(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    static ChildProcess start(Class<?> main, List<String> options, String... arguments)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        var process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new ChildProcess(process);
    }

    /// The next line that it prints.
    String line() throws IOException {
        var line = output.readLine();
        if (line == null) {
            throw new IOException("the other process ended; its errors are above");
        }
        return line;
    }

    String ask(String question) throws IOException {
        input.write(question + "\n");
        input.flush();
        return line();
    }

    long pid() {
        return process.pid();
    }

    /// The processor time that it has used.
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// The memory that it has resident, the code and the caches of its JVM included.
    double residentMegabytes() throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        throw new IOException("process " + pid() + " has no VmRSS");
    }

    /// Ends the process by the end of its input.
    ///
    /// @throws IOException if it goes on all the same, and is killed
    @Override
    public void close() throws IOException {
        input.close();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(
                        "a process of the benchmark was still there %d s after its input had ended, and was killed: %s"
                                .formatted(
                                        SECONDS_TO_END,
                                        process.info().commandLine().orElse("process " + pid())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
