package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;

/// Three tasks `noop`, one after another: with ordinary handlers, and with pure ones.
final class Chains {
    static final String ORDINARY = "chain";
    static final String PURE = "pure_chain";

    private Chains() {}

    static List<Blueprint> both() {
        return List.of(ordinary(), chain(PURE, true));
    }

    static Blueprint ordinary() {
        return chain(ORDINARY, false);
    }

    private static Blueprint chain(String name, boolean pure) {
        var chain = Blueprint.named(name);
        add(chain.start("one", _ -> noop("two")).leadingTo("two"), pure);
        add(chain.state("two", _ -> noop("three")).leadingTo("three"), pure);
        add(chain.state("three", _ -> noop("done")).leadingTo("done"), pure);
        return chain.end("done").build();
    }

    private static void add(Blueprint.Builder state, boolean pure) {
        if (pure) {
            state.pure();
        }
    }

    private static Action noop(String then) {
        return Action.dispatch(TaskSpec.of("noop", JsonObject.EMPTY), Outcomes.on("success", then));
    }
}
