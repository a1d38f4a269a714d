package dev.artel.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// What workers that have nothing to do cost the orchestrator in a minute, when all is at its pace.
///
/// @param cpuPercentOfCore the processor time of all threads of the orchestrator, in its own code and in the kernel; 100 is one core
/// @param residentMegabytes what it has resident at the end, the code and the caches of the JVM included
record IdleCost(double cpuPercentOfCore, double residentMegabytes) {
    private static final Duration RUN = Duration.ofSeconds(60);

    /// Looks at what the workers counted meanwhile.
    interface Check {
        /// Refuses what makes the figures worthless.
        ///
        /// @param counts what the load program answers
        /// @param seconds how long it counted
        void check(String counts, double seconds);
    }

    /// Measures, after `settling`.
    ///
    /// @param workers a load program that answers an empty line with what it has counted since the last one
    static IdleCost of(
            LoadedServer server, ChildProcess workers, Duration settling, Size size, Check check)
            throws IOException, InterruptedException {
        Thread.sleep(settling);
        workers.ask("");
        var before = server.process().cpu();
        var began = System.nanoTime();
        Thread.sleep(size.of(RUN, Duration.ofSeconds(3)));
        var seconds = (System.nanoTime() - began) / 1e9;
        var cpu = server.process().cpu().minus(before).toMillis() / 10.0 / seconds;
        var memory = server.process().residentMegabytes();
        check.check(workers.ask(""), seconds);
        return new IdleCost(cpu, memory);
    }

    /// As `PREFIXcpu_percent_of_core` and `PREFIXrss_mb`.
    List<BenchmarkResult> results(String benchmark, String prefix) {
        return List.of(
                new BenchmarkResult(
                        benchmark,
                        prefix + "cpu_percent_of_core",
                        "%",
                        BenchmarkResult.Better.LOWER,
                        List.of(cpuPercentOfCore)),
                new BenchmarkResult(
                        benchmark,
                        prefix + "rss_mb",
                        "MB",
                        BenchmarkResult.Better.LOWER,
                        List.of(residentMegabytes)));
    }
}
