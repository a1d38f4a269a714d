package dev.artel.examples.hello;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskType;

/// Greets somebody: one task for whichever worker offers `greet`.
final class HelloBlueprint {
    private HelloBlueprint() {}

    record Greet(String name) {}

    record Greeting(String greeting) {}

    static final TaskType<Greet, Greeting> GREET =
            TaskType.of("greet", Greet.class, Greeting.class);
    static final BlueprintType<Greet, Greeting> HELLO =
            BlueprintType.of("hello", Greet.class, Greeting.class);

    static Blueprint hello() {
        var b = Blueprint.states(HELLO);
        var greeted = b.finish("greeted", step -> step.result(GREET));
        b.start("greet").call(GREET, Step::input).then(greeted);
        return b.build();
    }
}
