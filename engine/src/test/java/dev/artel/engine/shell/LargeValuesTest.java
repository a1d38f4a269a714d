package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LargeValuesTest {
    private static final JobRoom.Share ALONE = JobRoom.Share.ALONE;

    private final LargeValues values = new LargeValues(new KeepsApart());

    /// Trap: a number counts as one character, and megabytes of digits stay in the job.
    @Test
    void numbersOfManyDigits_areKeptApart() {
        var number = new JsonNumber(new BigDecimal(BigInteger.TEN.pow(898)));
        JsonValue list = new JsonArray(Collections.nCopies(100, number));

        assertThat(values.keep(Payload.of(list))).isInstanceOf(Payload.Ref.class);
        assertThat(values.keep(succeeded("success", JsonObject.of("digits", list)), ALONE))
                .isInstanceOfSatisfying(
                        TaskReport.Succeeded.class,
                        its -> assertThat(its.data()).isInstanceOf(Payload.Members.class));
    }

    /// Trap: a megabyte is written once to learn its length, and again to keep it.
    @Test
    void aLargeMember_isWrittenOnce() {
        var measured = new AtomicInteger();
        var store =
                new KeepsApart() {
                    @Override
                    public long bytes(JsonValue value) {
                        measured.incrementAndGet();
                        return super.bytes(value);
                    }

                    @Override
                    public Payload.Ref put(JsonValue value) {
                        return new Payload.Ref("1".repeat(64), value.toString().length());
                    }
                };
        var data =
                JsonObject.of("large", JsonValue.of("x".repeat(1 << 20)), "small", JsonValue.of(1));

        var kept = new LargeValues(store).keep(JobData.of(data)).values();

        assertThat(kept.get("large")).isInstanceOf(Payload.Ref.class);
        assertThat(kept.get("small")).isInstanceOf(Payload.Inline.class);
        assertThat(measured).hasValue(1);
    }

    /// Trap: 64 KB of `{"a":0}` are parameters of some megabytes, which stay with the job for each task that has them.
    @Test
    void parametersThatAreSmallAsText_andLargeInMemory_areKeptApart() {
        var objects =
                new JsonArray(Collections.nCopies(8_000, JsonObject.of("a", JsonValue.of(0))));
        var params = JsonObject.of("big", objects);
        var few = JsonObject.of("few", JsonValue.of(1));
        var on = Outcomes.on("success", "next");

        assertThat(kept(Action.dispatch(TaskSpec.of("work", params), on)).params())
                .isInstanceOf(Payload.Ref.class);
        assertThat(kept(Action.dispatch(TaskSpec.of("work", few), on)).params())
                .isInstanceOf(Payload.Inline.class);
        assertThat(
                        values.keep(
                                        Action.runBlueprints("film", List.of(params), "done"),
                                        _ -> ALONE)
                                .toString())
                .contains("Ref[");
    }

    private TaskSpec kept(Action action) {
        return ((Action.DispatchTask) values.keep(action, _ -> ALONE)).task();
    }

    /// Trap: a thousand parameters of 200 characters are short, and five kilobytes of memory each.
    @Test
    void shortParametersOfManyTasks_areKeptTogether_whereTheyTakeMuchMemory() {
        var list = new JsonArray(Collections.nCopies(50, JsonObject.of("a", JsonValue.of(0))));
        var task = TaskSpec.of("work", JsonObject.of("l", list));
        var action = Action.dispatchParallel(Collections.nCopies(100, task), "done");

        var together = new ArrayList<JsonValue>();
        var store =
                new KeepsApart() {
                    @Override
                    public List<Payload.Slice> keepTogether(List<JsonValue> all) {
                        together.addAll(all);
                        var digest = "0".repeat(64);
                        return Collections.nCopies(
                                all.size(), new Payload.Slice(digest, 0, 1, digest));
                    }
                };
        var kept = (Action.DispatchParallel) new LargeValues(store).keep(action, _ -> ALONE);

        assertThat(together).hasSize(100);

        assertThat(kept.tasks())
                .allSatisfy(each -> assertThat(each.params()).isInstanceOf(Payload.Slice.class));
    }

    /// Trap: a worker reports a word of a megabyte, which stays with each task of the job.
    @Test
    void aStatusThatIsNoWord_isAFailure() {
        var kept = values.keep(succeeded("x".repeat(201), JsonObject.EMPTY), ALONE);

        assertThat(kept)
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        its -> {
                            assertThat(its.error().code()).isEqualTo("INVALID_RESULT");
                            assertThat(its.error().message()).contains("201 characters");
                        });
        assertThat(values.keep(succeeded("x".repeat(200), JsonObject.EMPTY), ALONE))
                .isInstanceOf(TaskReport.Succeeded.class);
    }

    /// Trap: names of two characters are shorter than a reference, so that a result of them stays with its job, however many it has.
    @Test
    void aResultOfManySmallMembers_isKeptApartAsAWhole_whereItIsOneOfMany() {
        var store = new Remembering();
        var result = smallMembers(20_000);

        assertThat(kept(store, Payload.of(result), new JobRoom.Share(16_384, true)))
                .isEqualTo(store.put(result));
        assertThat(kept(store, Payload.of(smallMembers(50)), new JobRoom.Share(16_384, true)))
                .isInstanceOf(Payload.Inline.class);
    }

    /// Trap: what is kept apart leaves references, which are as many as the members.
    @Test
    void aResultOfManyMembersThatAreKeptApart_isKeptApartAsAWhole() {
        var store = new Remembering();
        var object = JsonObject.builder();
        for (var i = 0; i < 300; i++) {
            object.put("n" + i, JsonValue.of("x".repeat(1_100)));
        }
        var result = object.build();

        assertThat(kept(store, Payload.of(result), new JobRoom.Share(32_768, true)))
                .isEqualTo(store.put(result));
        assertThat(kept(store, Payload.of(result), ALONE)).isInstanceOf(Payload.Members.class);
    }

    /// Trap: a list of zeros takes ten times the memory of its text, which alone is counted.
    @Test
    void aResultThatIsSmallAsText_andLargeInMemory_isKeptApart() {
        var store = new Remembering();
        JsonValue zeros = new JsonArray(Collections.nCopies(500, JsonValue.of(0)));
        var inAnObject = JsonObject.of("a", zeros);
        var few = new JobRoom.Share(8_192, true);

        assertThat(kept(store, Payload.of(zeros), few)).isEqualTo(store.put(zeros));
        assertThat(kept(store, Payload.of(inAnObject), few)).isEqualTo(store.put(inAnObject));
        assertThat(kept(store, Payload.of(inAnObject), ALONE)).isInstanceOf(Payload.Inline.class);
    }

    /// Trap: a worker uploads its result and reports the address, and the value comes into memory whatever room there is.
    @Test
    void aResultThatWasUploaded_hasTheSameRoom() {
        var store = new Remembering();
        var few = new JobRoom.Share(8_192, true);
        for (var result : List.of(smallMembers(2_000), smallMembers(20_000))) {
            var uploaded = store.put(result);

            assertThat(kept(store, uploaded, few)).isEqualTo(uploaded);
        }
        assertThat(kept(store, store.put(smallMembers(20)), few))
                .isEqualTo(Payload.of(smallMembers(20)));
    }

    private static Payload kept(Remembering store, Payload result, JobRoom.Share share) {
        var report = new TaskReport.Succeeded("success", result);
        return ((TaskReport.Succeeded) new LargeValues(store).keep(report, share)).data();
    }

    private static JsonObject smallMembers(int count) {
        var object = JsonObject.builder();
        for (var i = 0; i < count; i++) {
            object.put("n" + i, JsonValue.of(0));
        }
        return object.build();
    }

    /// Knows again what it has kept.
    private static final class Remembering extends KeepsApart {
        private final List<JsonValue> values = new ArrayList<>();

        @Override
        public Payload.Ref put(JsonValue value) {
            if (!values.contains(value)) {
                values.add(value);
            }
            return new Payload.Ref("%064d".formatted(values.indexOf(value)), bytes(value));
        }

        @Override
        public Payload split(Payload.Ref whole, long inline) {
            var object = (JsonObject) values.get(Integer.parseInt(whole.digest()));
            var bytes = new LinkedHashMap<String, Long>();
            object.members().forEach((name, value) -> bytes.put(name, bytes(value)));
            return Parts.below(bytes, maxBytes(), inline).orElse(Set.of("")).isEmpty()
                    ? Payload.of(object)
                    : whole;
        }
    }

    private static TaskReport succeeded(String status, JsonObject data) {
        return new TaskReport.Succeeded(status, Payload.of(data));
    }
}
