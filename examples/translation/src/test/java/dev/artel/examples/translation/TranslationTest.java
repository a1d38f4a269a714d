package dev.artel.examples.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Hours of a translation, in virtual time.
final class TranslationTest {
    private static final JsonObject BOOK =
            JsonObject.builder()
                    .put("title", "Niels Lyhne")
                    .put(
                            "chapters",
                            new JsonArray(
                                    Stream.of("one", "two", "three")
                                            .map(JsonValue::of)
                                            .map(JsonValue.class::cast)
                                            .toList()))
                    .build();

    private static final ScriptedAnswer MISTAKES =
            ScriptedAnswer.status("mistakes", JsonObject.EMPTY);

    private final ArtelSimulation book =
            ArtelSimulation.of(Translation.translation()).initialData(BOOK);

    private final FakeWorker quick =
            FakeWorker.named("quick").slots(2).doing("translate").doing("correct");

    /// Trap: all wait for one that is slow, although others have nothing to do.
    @Test
    void aTranslatorWhoTakesForever_isOvertaken() {
        var slow = FakeWorker.named("slow").slots(1).doing("translate", ScriptedAnswer.silence());
        var reader = FakeWorker.named("reader").doing("proofread");

        var job = book.workers(quick, slow, reader).run(1);

        job.assertFinished().assertAttempts("translate", 4).assertPlaced("translate").on("quick");
        assertThat(job.took()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
    }

    /// Trap: a loop goes on forever against its author's intention, and nobody notices.
    @Test
    void aBookThatIsNeverGoodEnough_isQuarantined_andTheMessageNamesTheCycle() {
        var strict = FakeWorker.named("reader").doing("proofread", MISTAKES);

        book.workers(quick, strict)
                .run(1)
                .assertQuarantined(
                        "entered 13 states, and its blueprint allows 12; the last ones repeat:"
                                + " correct -> proofread -> correct")
                .assertAttempts("proofread", 6);
    }

    @Test
    void somebodyWhoLetsItGoOn_givesItAsManyAgain() {
        var patient =
                FakeWorker.named("reader")
                        .doing(
                                "proofread",
                                Stream.concat(
                                                Stream.generate(() -> MISTAKES).limit(8),
                                                Stream.of(ScriptedAnswer.success()))
                                        .toArray(ScriptedAnswer[]::new));

        book.workers(quick, patient)
                .at(Duration.ofHours(1), ScriptedEvent.release())
                .run(1)
                .assertFinished()
                .assertWentThrough("translate", "proofread", "correct", "proofread", "printed")
                .assertAttempts("proofread", 9);
    }

    /// Trap: what was counted, and who else has a task, is forgotten with the process.
    @Test
    void anOrchestratorThatIsKilledAtAnyMoment_makesNoDifference() {
        var slow = FakeWorker.named("slow").slots(1).doing("translate", ScriptedAnswer.silence());
        var strict = FakeWorker.named("reader").doing("proofread", MISTAKES);

        var kills =
                book.workers(quick, slow, strict)
                        .at(Duration.ofHours(1), ScriptedEvent.discard("enough"))
                        .killedAtEachAppend(1);

        assertThat(kills).isGreaterThan(20);
    }
}
