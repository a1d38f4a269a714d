package dev.artel.server.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ApiJsonTest {
    private static final JobId JOB = new JobId("j");

    private final InMemoryPayloadStore payloads = new InMemoryPayloadStore();
    private final ApiJson shown = new ApiJson(payloads).ofJob(JOB, ApiJson.LARGEST);

    private static JsonValue objects(int count) {
        return new JsonArray(Collections.nCopies(count, JsonObject.EMPTY));
    }

    /// Trap: a megabyte of empty objects becomes thirty-five of values for each reader, and its carrier does nothing else meanwhile.
    @Test
    void largeValues_standInAnAnswerAsTheyAreKept_withoutAValueBeingMadeOfThem() {
        var value = objects(100_000);
        var kept = payloads.put(value);
        var slice = payloads.keepTogether(List.of(value)).getFirst();
        var members = new LinkedHashMap<String, Payload>();
        members.put("small", Payload.of(JsonValue.of(1)));
        members.put("large", kept);
        var json = JsonObject.builder().put("data", shown.of(new JobData(members)));
        shown.put(json, "result", kept);
        shown.put(json, "params", slice);
        shown.put(json, "members", new Payload.Members(members));

        var document = new Selection(Set.of("data", "result", "params")).from(json.build());
        var answer = new String(JsonText.write(document.with("more", JsonValue.of(2))), UTF_8);

        var text = new String(JsonText.write(value), UTF_8);
        assertThat(answer)
                .isEqualTo(
                        "{\"data\":{\"small\":1,\"large\":"
                                + text
                                + "},\"result\":"
                                + text
                                + ",\"params\":"
                                + text
                                + ",\"more\":2}");
        assertThat(payloads.reads()).isZero();
    }

    @Test
    void whatIsMoreThanAnAnswerTakes_hasAnAddress() {
        var kept = payloads.put(objects(330_000));
        var json = JsonObject.builder();
        for (var i = 0; i < 5; i++) {
            shown.put(json, "value" + i, kept);
        }

        var read = (JsonObject) JsonText.readWritten(JsonText.write(json.build()));

        assertThat(read.array("value3")).isPresent();
        assertThat(read.object("value4").flatMap(it -> it.object("large_value"))).isPresent();
    }

    @Test
    void theWeightOfAnAnswer_isThatOfItsTexts_andHasABound() {
        var kept = payloads.put(objects(100_000));

        assertThat(ApiJson.weight(Stream.of(Payload.EMPTY))).isZero();
        assertThat(ApiJson.weight(Stream.of(kept, kept))).isEqualTo(8 * kept.bytes());
        assertThat(ApiJson.weight(Stream.generate(() -> (Payload) kept).limit(1_000)))
                .isEqualTo(4 * ApiJson.IN_ONE_ANSWER);
    }
}
