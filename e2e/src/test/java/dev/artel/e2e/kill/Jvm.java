package dev.artel.e2e.kill;

import dev.artel.waits.Await;
import dev.artel.waits.Evidence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A Java process with the class path of the tests.
final class Jvm implements AutoCloseable {
    private final Process process;
    private final Evidence log;

    private Jvm(Process process, Path log) {
        this.process = process;
        this.log = Evidence.ofFile(log);
    }

    /// Starts `main` with a heap of 256 MB; what it prints goes to `log`, behind what is there.
    static Jvm start(
            Class<?> main, Map<String, String> environment, Path log, List<String> arguments)
            throws IOException {
        return start(
                "256m", System.getProperty("java.class.path"), main, environment, log, arguments);
    }

    /// @param heap the most memory, such as `256m`
    static Jvm start(
            String heap,
            String classPath,
            Class<?> main,
            Map<String, String> environment,
            Path log,
            List<String> arguments)
            throws IOException {
        var ordered = ClassData.ordered(classPath);
        var command = new ArrayList<>(HangUp.restored());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ClassData.flags(ordered));
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx" + heap,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ordered,
                        main.getName()));
        command.addAll(arguments);
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new Jvm(builder.start(), log);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// The exit code, whenever it ends.
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    /// The exit code of a process that ends by itself.
    int await() throws InterruptedException {
        if (!process.waitFor(Await.seconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the process has not ended in time");
        }
        return process.exitValue();
    }

    /// SIGSTOP: the process stands still, and does not notice.
    void stop() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /// SIGCONT: the process goes on.
    void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    /// SIGHUP: the process is asked to read its files again.
    void hangUp() throws IOException, InterruptedException {
        signal("-HUP");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        var sent =
                new ProcessBuilder("sh", "-c", "kill " + signal + " " + process.pid())
                        .inheritIO()
                        .start()
                        .waitFor();
        if (sent != 0) {
            throw new IOException("kill " + signal + " " + process.pid() + " ended with " + sent);
        }
    }

    /// SIGKILL: the process gets no chance to do anything.
    void kill() {
        process.destroyForcibly();
        // The kernel ends a killed process whether or not anybody is interrupted meanwhile.
        process.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
        log.close();
    }

    @Override
    public void close() {
        kill();
    }
}
