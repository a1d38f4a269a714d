package dev.artel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// 5,000 workers that find nothing to do: what they cost the orchestrator in processor time and memory.
final class IdleBenchmark implements Benchmark {
    private static final int WORKERS = 5_000;
    private static final Duration WARM_UP = Duration.ofSeconds(60);

    /// As long as a poll waits.
    private static final Duration RUN = Duration.ofSeconds(30);

    private static final int RUNS = 3;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<Result> run() throws Exception {
        var cpu = new ArrayList<Double>();
        var memory = new ArrayList<Double>();
        try (var server =
                Child.start(ServerProcess.class, List.of("-Xmx256m", "-XX:+UseSerialGC"))) {
            var ready = server.line().split(" ", -1);
            try (var workers =
                    Child.start(
                            IdleWorkers.class,
                            List.of("-Xmx256m", "-XX:+UseSerialGC"),
                            ready[0],
                            ready[2],
                            Integer.toString(WORKERS))) {
                workers.line();
                Thread.sleep(WARM_UP);
                workers.ask("");
                for (var i = 0; i < RUNS; i++) {
                    var before = server.cpu();
                    var began = System.nanoTime();
                    Thread.sleep(RUN);
                    var seconds = (System.nanoTime() - began) / 1e9;
                    cpu.add(server.cpu().minus(before).toMillis() / 10.0 / seconds);
                    memory.add(megabytes(server.pid()));
                    requireHealth(workers.ask(""), seconds);
                }
            }
        }
        return List.of(
                Result.best(name(), "cpu_percent_of_core", "%", Result.Better.LOWER, cpu),
                Result.best(name(), "rss_mb", "MB", Result.Better.LOWER, memory));
    }

    /// Heartbeats and ends of polls must have been answered as they should.
    private static void requireHealth(String answers, double seconds) {
        var good = Long.parseLong(answers.split(" ", -1)[0]);
        var bad = Long.parseLong(answers.split(" ", -1)[1]);
        var expected = WORKERS * seconds / 15;
        if (bad > 0 || good < expected * 0.9) {
            throw new IllegalStateException(
                    good + " good answers and " + bad + " bad ones; expected " + expected);
        }
    }

    private static double megabytes(long process) throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc", Long.toString(process), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        throw new IOException("process " + process + " has no VmRSS");
    }
}
