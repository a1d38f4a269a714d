package dev.artel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunCommandTest {
    @TempDir private Path folder;

    private final List<String> output = new ArrayList<>();

    /// A benchmark of one metric.
    private interface Fake extends Benchmark {
        List<Double> runs() throws IOException;

        @Override
        default String name() {
            return "fake";
        }

        @Override
        default List<String> metrics() {
            return List.of("rate");
        }

        @Override
        default List<BenchmarkResult> run(Size size) throws Exception {
            return List.of(
                    new BenchmarkResult(
                            name(), "rate", "1/s", BenchmarkResult.Better.HIGHER, runs()));
        }
    }

    private static Fake fake(List<Double> runs) {
        return () -> runs;
    }

    private record Named(String name, Fake fake) implements Benchmark {
        @Override
        public List<String> metrics() {
            return fake.metrics();
        }

        @Override
        public List<BenchmarkResult> run(Size size) throws Exception {
            return List.of(
                    new BenchmarkResult(
                            name, "rate", "1/s", BenchmarkResult.Better.HIGHER, fake.runs()));
        }
    }

    private record Absent(String name) implements Benchmark {
        @Override
        public List<String> metrics() {
            return List.of("rate");
        }

        @Override
        public Optional<String> missing() {
            return Optional.of("a broker");
        }

        @Override
        public List<BenchmarkResult> run(Size size) {
            throw new IllegalStateException("ran without its broker");
        }
    }

    private JsonObject document(Path file) throws IOException {
        return (JsonObject) JsonText.read(Files.readAllBytes(file));
    }

    private int run(Path file, Benchmark... benchmarks) throws InterruptedException {
        var all = List.of(benchmarks);
        return RunCommand.of(List.of("all", "--size", "small", "--json", file.toString()), all)
                .run(output::add);
    }

    @Test
    void theResults_haveAllRunsTheMedianAndTheBest() throws Exception {
        var file = folder.resolve("new/results.json");

        var status = run(file, fake(List.of(3.0, 1.0, 2.0)));

        assertThat(status).isZero();
        var document = document(file);
        assertThat(document.names())
                .contains("version", "commit", "begun", "java", "cores", "memory_mb", "jvm_flags");
        assertThat(document.string("size")).contains("small");
        assertThat(document.get("complete")).hasToString("Optional[true]");
        assertThat(document.array("results").orElseThrow())
                .singleElement()
                .hasToString(
                        "{\"benchmark\":\"fake\",\"metric\":\"rate\",\"unit\":\"1/s\",\"better\":\"higher\",\"median\":2.0,\"best\":3.0,\"runs\":[3.0,1.0,2.0]}");
    }

    @Test
    void aBenchmarkThatFails_isNamedWithItsCause_andTheOthersGoOn() throws Exception {
        var file = folder.resolve("results.json");
        Fake broken =
                () -> {
                    throw new IOException("no disk", new IllegalStateException("full"));
                };

        var status = run(file, new Named("broken", broken), new Named("good", fake(List.of(1.0))));

        assertThat(status).isEqualTo(1);
        var document = document(file);
        assertThat(document.object("failed").flatMap(it -> it.string("broken")))
                .hasValueSatisfying(cause -> assertThat(cause).contains("no disk", "full"));
        assertThat(document.array("results").orElseThrow()).hasSize(1);
        assertThat(output)
                .anyMatch(line -> line.contains("broken failed: ") && line.contains("full"));
    }

    @Test
    void aRunThatIsNoNumber_isAFailure() throws Exception {
        var file = folder.resolve("results.json");

        assertThat(run(file, fake(List.of(1.0, Double.NaN)))).isEqualTo(1);
        assertThat(document(file).object("failed").orElseThrow().has("fake")).isTrue();
    }

    @Test
    void aBenchmarkWithoutItsService_isListedAsSkipped() throws Exception {
        var file = folder.resolve("results.json");

        var status = run(file, new Absent("bus"), fake(List.of(1.0)));

        assertThat(status).isZero();
        assertThat(document(file).object("skipped").flatMap(it -> it.string("bus")))
                .contains("a broker");
        assertThat(output).anyMatch(line -> line.contains("skipped bus, which needs a broker"));
    }

    @Test
    void eachBenchmark_isWrittenBeforeTheNextBegins() throws Exception {
        var file = folder.resolve("results.json");
        var before = new ArrayList<String>();
        Fake second =
                () -> {
                    before.add(document(file).toString());
                    return List.of(1.0);
                };

        run(file, new Named("first", fake(List.of(7.0))), new Named("second", second));

        assertThat(before)
                .singleElement()
                .asString()
                .contains("\"first\"", "\"complete\":false")
                .doesNotContain("\"second\"");
    }

    @Test
    void wrongArguments_areRefusedByName() {
        var all = List.<Benchmark>of(fake(List.of(1.0)));

        assertThatThrownBy(() -> RunCommand.of(List.of("fake", "fast"), all))
                .isInstanceOf(BenchRefused.class)
                .hasMessageContaining("no benchmark fast");
        assertThatThrownBy(() -> RunCommand.of(List.of("fake", "--fast"), all))
                .hasMessageContaining("no option --fast");
        assertThatThrownBy(() -> RunCommand.of(List.of("fake", "--json"), all))
                .hasMessageContaining("--json needs a value");
        assertThatThrownBy(() -> RunCommand.of(List.of("fake", "--size", "big"), all))
                .hasMessageContaining("was big");
        assertThatThrownBy(() -> RunCommand.of(List.of(), all)).hasMessageContaining("all, fake");
    }
}
