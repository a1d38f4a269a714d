package dev.artel.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.UnmetRequirement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trap: an attempt that carries the whole fleet with it makes its job's stream grow with the fleet.
final class PlacementSizeTest {
    private final JsonEventCodec codec = new JsonEventCodec();

    @ParameterizedTest
    @ValueSource(strings = {"w", "x", "\"", "\\", "你", "é"})
    void aPlacement_takesAtMostTwoKilobytes_howeverLongItsNames(String letter) {
        for (var length : List.of(1, 12, 40, 100, 199)) {
            var placement = placement(letter.repeat(length));
            var grant =
                    new JobCommand.Grant(
                            new EffectId(1, 0),
                            0,
                            new LeaseToken("t"),
                            placement.winner(),
                            placement,
                            Instant.EPOCH);

            var written = (JsonObject) JsonText.read(codec.encode(grant));

            var bytes = JsonText.write(written.object("placement").orElseThrow());
            assertThat(bytes)
                    .as(new String(bytes, UTF_8))
                    .hasSizeLessThanOrEqualTo(Placement.MAX_BYTES);
            assertThat(placement.winner().value()).hasSize(length + 1);
        }
    }

    private static Placement placement(String name) {
        var refused = new LinkedHashMap<Refusal, Integer>();
        for (var refusal : Refusal.values()) {
            refused.put(refusal, Integer.MAX_VALUE);
        }
        var candidates =
                IntStream.range(0, 5)
                        .mapToObj(i ->
                                new Placement.Candidate(
                                        new WorkerId(name + i),
                                        "websocket",
                                        List.of(
                                                new Placement.Figure("cold", 1),
                                                new Placement.Figure("cost", -1.0 / 3e-300),
                                                new Placement.Figure("load", 1 / 3.0))))
                        .toList();
        var unmetRequirements =
                IntStream.range(0, 5)
                        .mapToObj(i ->
                                new UnmetRequirement(
                                        new WorkerId(name + i),
                                        "websocket",
                                        Refusal.RESOURCE,
                                        name.substring(0, Math.min(60, name.length())),
                                        JsonValue.of(1 / 3.0),
                                        JsonValue.of(
                                                name.substring(0, Math.min(60, name.length())))))
                        .toList();
        return new Placement(
                new WorkerId(name + 0),
                "websocket",
                "x".repeat(300),
                candidates,
                refused,
                unmetRequirements,
                Long.MAX_VALUE);
    }
}
