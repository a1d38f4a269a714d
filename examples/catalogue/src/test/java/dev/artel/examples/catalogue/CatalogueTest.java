package dev.artel.examples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A catalogue of seven things, in virtual time.
final class CatalogueTest {
    private static final List<String> THINGS =
            List.of("lamp", "chair", "table", "umbrella", "mirror", "carpet", "clock");

    private final ArtelSimulation catalogue =
            ArtelSimulation.of(Blueprint.annotated(Catalogue.class))
                    .child(Blueprint.annotated(Article.class))
                    .initialData(JsonObject.of("things", texts(THINGS.stream())));

    private final FakeWorker author =
            FakeWorker.named("author")
                    .slots(10)
                    .doing("describe", ScriptedAnswer.computed(CatalogueTest::written));

    private static JsonValue written(JsonValue params) {
        var name = ((JsonObject) params).string("name").orElseThrow();
        return JsonObject.of("text", JsonValue.of(name.equals("umbrella") ? "" : "A good " + name));
    }

    private static JsonArray texts(Stream<String> texts) {
        return new JsonArray(texts.map(text -> (JsonValue) JsonValue.of(text)).toList());
    }

    /// Trap: one article that cannot be written costs all the others, or their order.
    @Test
    void theArticlesAreInOrder_andTheOneThatCannotBeWritten_isNamed() {
        var job = catalogue.workers(author).run(1).assertFinished();

        var pages =
                THINGS.stream()
                        .filter(thing -> !thing.equals("umbrella"))
                        .map(thing ->
                                (JsonValue) JsonObject.of("text", JsonValue.of("A good " + thing)))
                        .toList();
        assertThat(job.outcome())
                .contains(
                        new JobOutcome.Finished(
                                Payload.of(
                                        JsonObject.of(
                                                "pages",
                                                new JsonArray(pages),
                                                "missing",
                                                texts(Stream.of("umbrella"))))));
    }

    /// Trap: all of them begin at once.
    @Test
    void noMoreThanThreeAreWrittenAtOnce_howeverManyTheAuthorCouldWrite() {
        var job = catalogue.workers(author).run(1);

        assertThat(job.took()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(7));
    }

    /// Trap: articles are written twice, or not at all.
    @Test
    void anOrchestratorThatIsKilledAtAnyMoment_makesNoDifference() {
        assertThat(catalogue.workers(author).killedAtEachAppend(1)).isGreaterThan(20);
    }
}
