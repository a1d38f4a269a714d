package dev.artel.e2e.chaos;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A Java process, which can be stopped, continued and killed. Safe for use by many threads.
final class JavaProcess {
    private static final long TIMEOUT_SECONDS = 30;

    private final Process process;

    private JavaProcess(Process process) {
        this.process = process;
    }

    /// What a process is started with.
    ///
    /// @param heap the most memory, such as `256m`
    /// @param classPath see [#classPath]
    record Launch(
            Class<?> main,
            String heap,
            String classPath,
            Map<String, String> environment,
            Path log,
            List<String> arguments) {}

    /// Starts a process; what it prints goes to the log, behind what is there.
    static JavaProcess start(Launch launch) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx" + launch.heap(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        launch.classPath(),
                        launch.main().getName()));
        command.addAll(launch.arguments());
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(launch.log().toFile()));
        builder.environment().putAll(launch.environment());
        return new JavaProcess(builder.start());
    }

    /// The class path of this process, without what the chaos program itself is made of where `own` is false: the orchestrator
    /// has its blueprints from a jar, and nothing else of ours.
    static String classPath(boolean own) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> own || !isOwn(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOwn(Path entry) {
        var source = JavaProcess.class.getProtectionDomain().getCodeSource().getLocation();
        var here = Path.of(URI.create(source.toString()));
        return entry.toAbsolutePath().normalize().equals(here.toAbsolutePath().normalize());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for its end and returns its exit code.
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    /// SIGKILL: the process gets no chance to do anything.
    void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    }

    /// SIGTERM: the process ends in order.
    ///
    /// @return whether it ended in time
    boolean end() throws InterruptedException {
        process.destroy();
        return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    /// SIGSTOP.
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /// SIGCONT.
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        // One that has ended meanwhile cannot be signalled, which does no harm.
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
