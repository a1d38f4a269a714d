package dev.artel.examples.catalogue;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;

/// The entry of a catalogue for one thing. It may as well be ordered alone.
@BlueprintDefinition(name = "article", initialData = Article.Thing.class)
public final class Article {
    static final BlueprintType<Thing, Description> ARTICLE =
            BlueprintType.of("article", Thing.class, Description.class);
    static final TaskType<Thing, Description> DESCRIBE =
            TaskType.of("describe", Thing.class, Description.class);

    /// What is to be described.
    public record Thing(String name) {}

    /// Its description.
    public record Description(String text) {}

    /// A worker writes the text.
    @StateHandler(value = "describe", start = true, resultAs = "description", leadsTo = "check")
    TaskCall<Description> describe(Thing initialData) {
        return TaskCall.of(DESCRIBE, initialData);
    }

    /// An article without a text is none.
    @StateHandler("check")
    Description check(String name, Description description) {
        if (description.text().isBlank()) {
            throw new RunFailed("there is no description of " + name);
        }
        return description;
    }
}
