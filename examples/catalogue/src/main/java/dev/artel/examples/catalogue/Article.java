package dev.artel.examples.catalogue;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.annotated.BlueprintDefinition;
import dev.artel.kernel.annotated.On;
import dev.artel.kernel.annotated.StateHandler;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.TaskSpec;

/// What a catalogue says of one thing. It may as well be ordered alone.
@BlueprintDefinition(name = "article", initialData = Article.Thing.class, data = "text")
public final class Article {
    /// What is to be described.
    public record Thing(String name) {}

    /// A worker writes the text.
    @StateHandler(value = "describe", start = true, on = @On(value = "success", state = "check"))
    TaskSpec describe(String name) {
        return TaskSpec.of("describe", JsonObject.of("name", JsonValue.of(name)));
    }

    /// An article without a text is none.
    @StateHandler("check")
    Action check(String name, String text) {
        return text.isBlank()
                ? Action.fail("there is nothing to say of " + name)
                : Action.finish(JsonObject.of("text", JsonValue.of(text)));
    }
}
