package dev.artel.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class JsonEventCodecPropertyTest {
    private final JsonEventCodec codec = new JsonEventCodec();

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 200) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void events_areReadAsTheyWereWritten(long seed) {
        var random = new RandomValues(seed);
        var events = Stream.generate(() -> random.of(JobEvent.class)).limit(8).toList();

        var read = codec.decode(codec.encode(events));

        assertThat(read).isEqualTo(events);
        assertThat(read.toString()).isEqualTo(events.toString());
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void commands_areReadAsTheyWereWritten(long seed) {
        var command = new RandomValues(seed).of(JobCommand.class);

        var read = codec.decodeCommand(codec.encode(command));

        assertThat(read).isEqualTo(command).hasToString(command.toString());
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatIsCutOff_isCorrupt(long seed) {
        var random = new RandomValues(seed);
        var whole = codec.encode(Stream.of(random.of(JobEvent.class)).toList());
        var cut = Arrays.copyOf(whole, Math.floorMod(seed * 31, whole.length));

        assertThatThrownBy(() -> codec.decode(cut)).isInstanceOf(StoreCorrupt.class);
    }
}
