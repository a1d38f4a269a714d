package dev.artel.examples.hello;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;

/// Greets somebody: one task for whichever worker offers `greet`.
final class HelloBlueprint {
    private HelloBlueprint() {}

    static Blueprint hello() {
        return Blueprint.named("hello")
                .start("greet", HelloBlueprint::greet)
                .leadingTo("greeted")
                .state("greeted", step -> Action.finish(step.data()))
                .build();
    }

    private static Action greet(Step step) {
        var task = TaskSpec.of("greet", step.initialData());
        return Action.dispatch(task, Outcomes.on("success", "greeted"));
    }
}
