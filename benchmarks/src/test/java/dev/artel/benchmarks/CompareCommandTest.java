package dev.artel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompareCommandTest {
    private static final Environment MACHINE =
            new Environment("1", "c", Instant.EPOCH, "25", "Linux", 2, 8_192, List.of());

    @TempDir private Path folder;

    private final List<String> output = new ArrayList<>();

    private static BenchmarkResult rate(Double... runs) {
        return new BenchmarkResult(
                "x", "rate", "1/s", BenchmarkResult.Better.HIGHER, List.of(runs));
    }

    private static BenchmarkResult millis(Double... runs) {
        return new BenchmarkResult("x", "p99", "ms", BenchmarkResult.Better.LOWER, List.of(runs));
    }

    private static ResultDocument document(BenchmarkResult... results) {
        var document = new ResultDocument(MACHINE, Size.FULL);
        document.add(Arrays.asList(results));
        return document;
    }

    private int compare(ResultDocument a, ResultDocument b, String... options) {
        a.write(folder.resolve("a.json"));
        b.write(folder.resolve("b.json"));
        return compare(options);
    }

    private int compare(String... options) {
        var args = new ArrayList<>(List.of(options));
        args.add(folder.resolve("a.json").toString());
        args.add(folder.resolve("b.json").toString());
        return CompareCommand.of(args).run(output::add);
    }

    private String line(String metric) {
        return output.stream().filter(it -> it.contains(" " + metric + " ")).findFirst().orElse("");
    }

    @Test
    void aBetterMedian_hasARatioAboveOne_whateverTheMetricCounts() {
        var status =
                compare(document(rate(100.0), millis(10.0)), document(rate(120.0), millis(8.0)));

        assertThat(status).isZero();
        assertThat(line("rate")).contains("1.20");
        assertThat(line("p99")).contains("1.25");
    }

    @Test
    void aRatioBelowTheLeast_fails() {
        assertThat(compare(document(rate(100.0)), document(rate(89.0)))).isEqualTo(1);
        assertThat(line("rate")).contains("0.89").endsWith("SLOWER");
        assertThat(compare(document(rate(100.0)), document(rate(91.0)))).isZero();
        assertThat(compare(document(rate(100.0)), document(rate(91.0)), "--below", "0.95"))
                .isEqualTo(1);
        assertThat(compare(document(millis(1.0)), document(millis(2.0)))).isEqualTo(1);
    }

    @Test
    void mediansAmongTheRunsOfTheOtherSide_areMarked_andFailAsWell() {
        var status =
                compare(
                        document(rate(60.0, 100.0, 105.0)),
                        document(rate(70.0, 80.0, 101.0, 75.0, 85.0)));

        assertThat(status).isEqualTo(1);
        assertThat(line("rate"))
                .endsWith("SLOWER, within the spread")
                .contains("-40 +5 %", "-13 +26 %");
        assertThat(output).last().asString().contains("measure both again");
    }

    @Test
    void rangesThatOnlyTouch_areNoExcuse() {
        compare(document(rate(90.0, 100.0, 110.0)), document(rate(60.0, 70.0, 95.0)));

        assertThat(line("rate")).endsWith("SLOWER");
    }

    @Test
    void zeros_compare() {
        assertThat(compare(document(millis(0.0)), document(millis(0.0)))).isZero();
        assertThat(line("p99")).contains("1.00");
        assertThat(compare(document(millis(0.0)), document(millis(2.0)))).isEqualTo(1);
        assertThat(compare(document(millis(2.0)), document(millis(0.0)))).isZero();
        assertThat(compare(document(rate(2.0)), document(rate(0.0)))).isEqualTo(1);
    }

    @Test
    void aMetricThatOnlyOneFileHas_isListed_andFailsIfItIsGone() {
        assertThat(compare(document(rate(1.0)), document(rate(1.0), millis(1.0)))).isZero();
        assertThat(line("p99")).endsWith("only in B");
        output.clear();

        assertThat(compare(document(rate(1.0), millis(1.0)), document(rate(1.0)))).isEqualTo(1);
        assertThat(line("p99")).endsWith("MISSING in B");
    }

    @Test
    void aBenchmarkThatFailedInB_isMissingWithItsCause() {
        var b = document();
        b.fail("x", "out of disk");

        assertThat(compare(document(rate(1.0)), b)).isEqualTo(1);
        assertThat(line("rate")).endsWith("MISSING in B: out of disk");
    }

    @Test
    void aBenchmarkThatBSkipped_isNoFailure() {
        var b = document();
        b.skip("x", "a broker");

        assertThat(compare(document(rate(1.0)), b)).isZero();
        assertThat(line("rate")).endsWith("skipped in B: a broker");
    }

    @Test
    void onlyTheBenchmarksThatAreNamed_count() {
        var other =
                new BenchmarkResult(
                        "y", "rate", "1/s", BenchmarkResult.Better.HIGHER, List.of(1.0));

        assertThat(compare(document(rate(1.0), other), document(rate(1.0)), "--only", "x"))
                .isZero();
    }

    @Test
    void filesThatDoNotCompare_areRefused() throws IOException {
        var small = new ResultDocument(MACHINE, Size.QUICK);
        small.add(List.of(rate(1.0)));
        assertThatThrownBy(() -> compare(document(rate(1.0)), small))
                .isInstanceOf(BenchRefused.class)
                .hasMessageContaining("of one size");

        Files.writeString(folder.resolve("b.json"), "{\"results\":[{\"metric\":\"rate\"}]}");
        assertThatThrownBy(this::compare).isInstanceOf(BenchRefused.class);
        Files.writeString(folder.resolve("b.json"), "no JSON");
        assertThatThrownBy(this::compare).hasMessageContaining("b.json");
        Files.delete(folder.resolve("b.json"));
        assertThatThrownBy(this::compare).hasMessageContaining("cannot read");
    }

    @Test
    void theRunsOfSeveralRounds_countTogether() {
        document(rate(100.0, 110.0)).write(folder.resolve("a.json"));
        document(rate(90.0), millis(4.0)).write(folder.resolve("a2.json"));
        document(rate(80.0, 99.0), millis(4.0)).write(folder.resolve("b.json"));
        document(rate(120.0)).write(folder.resolve("b2.json"));

        var status =
                CompareCommand.of(List.of(rounds("a.json", "a2.json"), rounds("b.json", "b2.json")))
                        .run(output::add);

        assertThat(status).isZero();
        assertThat(line("rate")).contains("0.99", "-10 +10 %", "-19 +21 %");
        assertThat(line("p99")).contains("1.00");
    }

    @Test
    void roundsThatDoNotBelongTogether_areRefused() {
        document(rate(1.0)).write(folder.resolve("a.json"));
        var quick = new ResultDocument(MACHINE, Size.QUICK);
        quick.add(List.of(rate(1.0)));
        quick.write(folder.resolve("quick.json"));
        var lower =
                new BenchmarkResult("x", "rate", "1/s", BenchmarkResult.Better.LOWER, List.of(1.0));
        document(lower).write(folder.resolve("lower.json"));

        for (var wrong : List.of("quick.json", "lower.json", "absent.json", "")) {
            var both = rounds("a.json", wrong);
            assertThatThrownBy(() ->
                            CompareCommand.of(List.of(rounds("a.json"), both)).run(output::add))
                    .as(wrong)
                    .isInstanceOf(BenchRefused.class);
        }
    }

    private String rounds(String... files) {
        return Stream.of(files)
                .map(file -> folder.resolve(file).toString())
                .collect(Collectors.joining(","));
    }

    @Test
    void wrongArguments_areRefused() {
        assertThatThrownBy(() -> CompareCommand.of(List.of("a.json")))
                .isInstanceOf(BenchRefused.class)
                .hasMessageContaining("two files");
        assertThatThrownBy(() -> CompareCommand.of(List.of("a", "b", "--below", "NaN")))
                .hasMessageContaining("above 0");
        assertThatThrownBy(() -> CompareCommand.of(List.of("a", "b", "--below", "x")))
                .hasMessageContaining("such as 0.9");
        assertThatThrownBy(() -> CompareCommand.of(List.of("a", "b", "--fast")))
                .hasMessageContaining("no option --fast");
    }
}
