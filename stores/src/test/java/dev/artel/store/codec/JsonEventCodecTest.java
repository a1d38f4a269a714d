package dev.artel.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobEvent.TaskOpened;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.SecretUse;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonEventCodecTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000);

    private final JsonEventCodec codec = new JsonEventCodec();

    @Test
    void defaultLimits_areLeftOut() {
        var opened = new TaskOpened(0, TaskSpec.of("resize", JsonObject.EMPTY), Outcomes.NONE, AT);

        assertThat(text(codec.encode(List.of(opened))))
                .isEqualTo(
                        "[{\"type\":\"task.opened\",\"v\":1,\"branch\":0,"
                                + "\"spec\":{\"type\":\"resize\",\"params\":[{}]},\"at\":1000}]");
    }

    @Test
    void theNameUnderWhichAResultIsKept_isReadBack() {
        var spec = TaskSpec.of("resize", JsonObject.EMPTY).withResultAs("picture");
        var opened = new TaskOpened(0, spec, Outcomes.NONE, AT);

        assertThat(codec.decode(codec.encode(List.of(opened)))).containsExactly(opened);
    }

    @Test
    void thePlacesOfSecrets_areReadBack() {
        var spec =
                TaskSpec.of("http_request", JsonObject.EMPTY)
                        .demanding(demand ->
                                demand.label("zone", "eu")
                                        .withSecrets(
                                                List.of(
                                                        new SecretUse("/url", 12, "KEY"),
                                                        new SecretUse("/body/a~1b", 0, "OTHER"))));
        var opened = new TaskOpened(0, spec, Outcomes.NONE, AT);

        assertThat(codec.decode(codec.encode(List.of(opened)))).containsExactly(opened);
    }

    @Test
    void aTypeThatNobodyKnows_isCorrupt() {
        assertCorrupt("[{\"type\":\"job.sung\",\"v\":1}]", "type \"job.sung\"", "newer Artel");
    }

    @Test
    void aVersionThatNobodyKnows_isCorrupt() {
        assertCorrupt(
                "[{\"type\":\"state.entered\",\"v\":7}]",
                "version 7 of type \"state.entered\"",
                "knows up to 1");
        assertCorrupt(
                "[{\"type\":\"state.entered\",\"v\":0}]",
                "version 0 of type \"state.entered\", which has no way to version 1");
    }

    @Test
    void aJobUnderLaterRules_isNotReadByEarlierOnes() {
        assertCorrupt(
                "[{\"type\":\"job.submitted\",\"v\":1,\"spec\":{\"blueprint\":{\"name\":\"album\","
                        + "\"version\":\"1.0\",\"graph\":\"sha-1\"},\"start\":\"start\",\"client\":\"alice\","
                        + "\"options\":{},\"rules\":2},\"at\":1767225600000}]",
                "under rules 2",
                "up to 1",
                "newer Artel");
    }

    @Test
    void whatIsNotTheFormat_isCorrupt() {
        assertCorrupt("", "expected START_ARRAY");
        assertCorrupt("{}", "expected START_ARRAY");
        assertCorrupt("[{}]", "found the end of the object", "member \"type\"");
        assertCorrupt(
                "[{\"type\":\"step.retried\",\"v\":1,\"branch\":\"0\",\"at\":1}]",
                "found VALUE_STRING");
        assertCorrupt(
                "[{\"type\":\"step.retried\",\"v\":1,\"branch\":0,\"at\":1,\"more\":1}]",
                "member \"more\"");
        assertCorrupt(
                "[{\"type\":\"step.retried\",\"v\":1,\"branch\":0,\"at\":1}] []", "found more");
        assertCorrupt("[{\"type\":\"step.retried\",\"v\":1,\"branch\":0,\"at\":\"noon\"}]", "noon");
    }

    @Test
    void oldVersions_areUpcastStepByStep() {
        var upcasters =
                Upcasters.ALL
                        .and("state.entered", 0, JsonEventCodecTest::nameTheBranch)
                        .and("state.entered", -1, old -> old.with("state", JsonValue.of("s1")));
        var old =
                "[{\"type\":\"state.entered\",\"v\":0,\"state\":\"s0\"},"
                        + "{\"type\":\"state.entered\",\"v\":-1}]";

        assertThat(new JsonEventCodec(upcasters).decode(old.getBytes(UTF_8)))
                .containsExactly(
                        new StateEntered(0, "s0", new StepCause.Started(), AT),
                        new StateEntered(0, "s1", new StepCause.Started(), AT));
    }

    private static JsonObject nameTheBranch(JsonObject old) {
        return JsonObject.builder()
                .put("branch", 0)
                .put("state", old.string("state").orElseThrow())
                .put("cause", JsonObject.of("kind", JsonValue.of("started")))
                .put("at", 1000)
                .build();
    }

    private void assertCorrupt(String text, String... parts) {
        assertThatThrownBy(() -> codec.decode(text.getBytes(UTF_8)))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageStartingWith("reading events from " + text.length() + " bytes")
                .hasMessageContainingAll(parts);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
