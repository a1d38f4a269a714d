package dev.artel.examples.photos.demo;

import dev.artel.examples.photos.PhotoWorker;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The three workers: processes that end with the demo, however it ends. Safe for use by many threads.
final class WorkerProcesses implements AutoCloseable {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(2500);
    private static final double LONGEST_TO_SHORTEST = 3;

    /// Work would else be over before anybody has looked.
    static final Duration SLOWNESS = Duration.ofMillis(600);

    private static final Duration PARTING = Duration.ofSeconds(3);
    private static final int RESTARTS = 3;

    private static final List<Member> MEMBERS =
            List.of(
                    new Member("resizer", List.of("resize_image", "contact_sheet")),
                    new Member("describer", List.of("describe_image")),
                    new Member(
                            "generalist",
                            List.of("resize_image", "describe_image", "contact_sheet")));

    /// How many there are.
    static final int COUNT = MEMBERS.size();

    private final List<URI> orchestrator;
    private final String token;
    private final Duration lease;
    private final Path logs;
    private final SequencedMap<Member, Process> processes = new LinkedHashMap<>();
    private final Map<Member, Integer> restarts = new LinkedHashMap<>();
    private boolean isClosed;

    /// One worker and what it can do.
    record Member(String name, List<String> skills) {}

    /// A crew that is not yet started.
    ///
    /// @param orchestrator where each finds it, over the wire that it is to use
    /// @param lease a dead worker's tasks are given to others after this time
    WorkerProcesses(List<URI> orchestrator, String token, Duration lease, Path logs) {
        this.orchestrator = List.copyOf(orchestrator);
        this.token = token;
        this.lease = lease;
        this.logs = logs;
    }

    /// A lease that living workers keep on this machine: on a busy one they are late too.
    ///
    /// @param load how many programs want each of its processors; not positive if nobody knows
    static Duration lease(double load) {
        var bearable = SHORTEST_LEASE.toMillis() * Math.clamp(load, 1, LONGEST_TO_SHORTEST);
        return Duration.ofMillis(Math.round(bearable));
    }

    /// After what time a dead worker's tasks are given to others.
    Duration lease() {
        return lease;
    }

    /// Starts them all.
    ///
    /// @return a line about each
    synchronized SequencedMap<String, String> start() {
        var lines = new LinkedHashMap<String, String>();
        for (var member : MEMBERS) {
            var process = start(member);
            lines.put(
                    member.name(),
                    "pid "
                            + process.pid()
                            + ", over "
                            + address(member).getScheme()
                            + "://, can "
                            + String.join(", ", member.skills()));
        }
        return lines;
    }

    /// Ends a worker as a crash would: it gets no chance to report it.
    ///
    /// @return its process id; empty if it has ended before
    synchronized OptionalLong kill(String name) {
        for (var worker : processes.entrySet()) {
            if (worker.getKey().name().equals(name)) {
                worker.getValue().destroyForcibly();
                processes.remove(worker.getKey());
                return OptionalLong.of(worker.getValue().pid());
            }
        }
        return OptionalLong.empty();
    }

    /// Starts anew who has ended uninvited.
    ///
    /// @return a line about each
    synchronized List<String> revive() {
        var lines = new ArrayList<String>();
        for (var worker : List.copyOf(processes.entrySet())) {
            var member = worker.getKey();
            var process = worker.getValue();
            if (process.isAlive() || isClosed) {
                continue;
            }
            var ended = "Worker " + member.name() + " ended with exit code " + process.exitValue();
            if (restarts.merge(member, 1, Integer::sum) <= RESTARTS) {
                lines.add(ended + "; started anew with pid " + start(member).pid() + ".");
            } else {
                processes.remove(member);
                lines.add(ended + " too often; see " + log(member) + ".");
            }
        }
        return lines;
    }

    private Process start(Member member) {
        if (isClosed) {
            throw new IllegalStateException("the crew has gone home");
        }
        try {
            Files.createDirectories(logs);
            var builder =
                    new ProcessBuilder(command(member))
                            .redirectErrorStream(true)
                            .redirectOutput(log(member).toFile());
            builder.environment().put("ARTEL_WORKER_TOKEN", token);
            var process = builder.start();
            processes.put(member, process);
            return process;
        } catch (IOException failed) {
            throw new CannotRun(
                    "cannot start the worker " + member.name() + ": " + failed.getMessage(),
                    failed);
        }
    }

    private URI address(Member member) {
        return orchestrator.get(MEMBERS.indexOf(member));
    }

    private Path log(Member member) {
        return logs.resolve(member.name() + ".log");
    }

    private List<String> command(Member member) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                java,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                PhotoWorker.class.getName(),
                "--orchestrator",
                address(member).toString(),
                "--name",
                member.name(),
                "--skills",
                String.join(",", member.skills()),
                "--lease-ms",
                Long.toString(lease.toMillis()),
                "--slow-ms",
                Long.toString(SLOWNESS.toMillis()),
                "--end-with-input");
    }

    private static String absolute(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        processes.values().forEach(Process::destroy);
        var until = System.nanoTime() + PARTING.toNanos();
        try {
            for (var process : processes.values()) {
                if (!process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException stop) {
            processes.values().forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
