package dev.artel.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.placement.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What was ever written stays readable. A golden file is never edited after the release that first wrote it; run with
/// `-Dgolden.write=true` to make those that are missing.
final class GoldenFileTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("basedir", "."), "src/test/resources/golden");

    private final JsonEventCodec codec = new JsonEventCodec();

    static Stream<Class<?>> events() {
        return RandomValues.leavesOf(JobEvent.class).stream();
    }

    static Stream<Class<?>> commands() {
        return RandomValues.leavesOf(JobCommand.class).stream();
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEvent_isWrittenAndReadAsItsGoldenFile(Class<? extends JobEvent> type)
            throws IOException {
        var samples = Samples.EVENTS.stream().filter(type::isInstance).toList();
        assertThat(samples).as("samples of %s", type.getSimpleName()).isNotEmpty();

        var written = codec.encode(samples);

        var golden =
                golden("event", (JsonObject) ((JsonArray) JsonText.read(written)).get(0), written);
        assertThat(new String(written, UTF_8)).isEqualTo(new String(golden, UTF_8));
        assertThat(codec.decode(golden)).isEqualTo(samples);
    }

    static Stream<JobEvent> laterEvents() {
        return Samples.LATER_EVENTS.stream();
    }

    @ParameterizedTest
    @MethodSource("laterEvents")
    void whatAnEventMayHaveNow_isWrittenAndReadAsItsGoldenFile(JobEvent sample) throws IOException {
        var written = codec.encode(List.of(sample));

        var earlier =
                Samples.LATER_EVENTS.subList(0, Samples.LATER_EVENTS.indexOf(sample)).stream()
                        .filter(sample.getClass()::isInstance)
                        .count();
        var golden =
                golden(
                        "event/" + (earlier + 1),
                        (JsonObject) ((JsonArray) JsonText.read(written)).get(0),
                        written);
        assertThat(new String(written, UTF_8)).isEqualTo(new String(golden, UTF_8));
        assertThat(codec.decode(golden)).containsExactly(sample);
    }

    @Test
    void aScoreOfTheFirstVersion_isOneFigure() throws IOException {
        var old = Files.readAllBytes(GOLDEN.resolve("event/lease.granted.v1.json"));

        var granted = (JobEvent.LeaseGranted) codec.decode(old).getLast();

        assertThat(granted.placement().best().getFirst().score())
                .containsExactly(new Placement.Figure("score", 1.5));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommand_isWrittenAndReadAsItsGoldenFiles(Class<? extends JobCommand> type)
            throws IOException {
        var samples = Samples.COMMANDS.stream().filter(type::isInstance).toList();
        assertThat(samples).as("samples of %s", type.getSimpleName()).isNotEmpty();

        var number = 0;
        for (var sample : samples) {
            var written = codec.encode(sample);
            var folder = number == 0 ? "command" : "command/" + number;
            var golden = golden(folder, (JsonObject) JsonText.read(written), written);
            assertThat(new String(written, UTF_8)).isEqualTo(new String(golden, UTF_8));
            assertThat(codec.decodeCommand(golden)).isEqualTo(sample);
            number++;
        }
    }

    @Test
    void everyVersionOfEveryType_hasAGoldenFileThatIsStillRead() throws IOException {
        for (var type : EventType.values()) {
            for (var file : filesOf("event", type)) {
                assertThat(codec.decode(Files.readAllBytes(file))).as("%s", file).isNotEmpty();
            }
        }
        for (var type : CommandType.values()) {
            for (var file : filesOf("command", type)) {
                assertThat(codec.decodeCommand(Files.readAllBytes(file)))
                        .as("%s", file)
                        .isNotNull();
            }
        }
    }

    @Test
    void everyTypeHasANameOfItsOwn() {
        assertThat(Arrays.stream(EventType.values()).map(EventType::type))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(events().toList());
        assertThat(Arrays.stream(CommandType.values()).map(CommandType::type))
                .doesNotHaveDuplicates()
                .hasSameSizeAs(commands().toList());
    }

    private static List<Path> filesOf(String folder, Versioned type) {
        return IntStream.rangeClosed(1, type.version())
                .mapToObj(v -> GOLDEN.resolve(folder).resolve(type.type() + ".v" + v + ".json"))
                .toList();
    }

    private static byte[] golden(String folder, JsonObject first, byte[] written)
            throws IOException {
        var name = first.string("type").orElseThrow() + ".v" + first.get("v").orElseThrow();
        var file = GOLDEN.resolve(folder).resolve(name + ".json");
        if (Boolean.getBoolean("golden.write") && !Files.exists(file)) {
            Files.createDirectories(file.getParent());
            Files.write(file, written);
        }
        assertThat(file).exists();
        return Files.readAllBytes(file);
    }
}
