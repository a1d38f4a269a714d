package dev.artel.examples.translation;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.annotated.BlueprintDefinition;
import dev.artel.kernel.annotated.GuardLimits;
import dev.artel.kernel.annotated.On;
import dev.artel.kernel.annotated.StateHandler;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.List;

/// A book: its chapters are translated at the same time, and what the proofreader finds is corrected until there is nothing
/// to find.
@BlueprintDefinition(
        name = "translation",
        initialData = Translation.Book.class,
        ends = "printed",
        guards = @GuardLimits(transitions = 12, handlerTime = "PT30S"))
public final class Translation {
    /// What is to be translated.
    public record Book(String title, List<String> chapters) {}

    /// All chapters; the slowest of them says how long it takes.
    @StateHandler(value = "translate", start = true, leadsTo = "proofread")
    List<TaskSpec> translate(List<String> chapters) {
        return chapters.stream().map(Translation::chapter).toList();
    }

    private static TaskSpec chapter(String chapter) {
        return TaskSpec.of("translate", JsonObject.of("chapter", JsonValue.of(chapter)))
                .withExecutionTimeout(Duration.ofMinutes(30))
                .hedgedAfter(Duration.ofMinutes(2));
    }

    /// Finds mistakes, or none.
    @StateHandler(
            value = "proofread",
            on = {
                @On(value = "success", state = "printed"),
                @On(value = "mistakes", state = "correct")
            })
    TaskSpec proofread(String title) {
        return TaskSpec.of("proofread", JsonObject.of("title", JsonValue.of(title)));
    }

    /// What is corrected is read again.
    @StateHandler(value = "correct", on = @On(value = "success", state = "proofread"))
    TaskSpec correct(String title) {
        return TaskSpec.of("correct", JsonObject.of("title", JsonValue.of(title)));
    }
}
