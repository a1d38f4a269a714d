package dev.artel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each benchmark works, with small numbers. Their figures mean nothing here, so that several run beside each other.
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
final class BenchmarksTest {
    /// What is 0 if all is well, or in so short a time.
    private static final Set<String> MAY_BE_ZERO =
            Set.of(
                    "sessions_lost",
                    "cpu_percent_of_core",
                    "idle_cpu_percent_of_core",
                    "watched_idle_cpu_percent_of_core",
                    "cpu_seconds_per_1000_jobs",
                    "heap_bytes_per_task",
                    "peak_heap_bytes_per_task");

    static Stream<Named<Benchmark>> benchmarks() {
        return Benchmarks.all().stream().map(benchmark -> Named.of(benchmark.name(), benchmark));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void aSmallBenchmark_givesEachOfItsMetrics(Benchmark benchmark) throws Exception {
        assumeThat(benchmark.missing()).as("what %s needs", benchmark.name()).isEmpty();

        var results = benchmark.run(Size.SMALL);

        assertThat(results)
                .extracting(BenchmarkResult::metric)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(benchmark.metrics());
        assertThat(results)
                .allSatisfy(result -> {
                    assertThat(result.benchmark()).isEqualTo(benchmark.name());
                    assertThat(result.runs())
                            .as(result.metric())
                            .isNotEmpty()
                            .allSatisfy(run ->
                                    assertThat(run > 0 || MAY_BE_ZERO.contains(result.metric()))
                                            .as("%s is %s", result.metric(), run)
                                            .isTrue());
                });
    }
}
