package dev.artel.examples.catalogue;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.annotated.Definition;
import dev.artel.kernel.annotated.InState;
import dev.artel.kernel.annotated.On;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.TaskSpec;

/// What a catalogue says of one thing. It may as well be ordered alone.
@Definition(name = "article", initialData = Article.Thing.class, data = "text")
public final class Article {
    /// What is to be described.
    public record Thing(String name) {}

    /// A worker writes the text.
    @InState(value = "describe", start = true, on = @On(value = "success", state = "check"))
    TaskSpec describe(String name) {
        return TaskSpec.of("describe", JsonObject.of("name", JsonValue.of(name)));
    }

    /// An article without a text is none.
    @InState("check")
    Action check(String name, String text) {
        return text.isBlank()
                ? Action.fail("there is nothing to say of " + name)
                : Action.finish(JsonObject.of("text", JsonValue.of(text)));
    }
}
