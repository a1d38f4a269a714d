package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PriceTableTest {
    private static final TaskSpec TASK = TaskSpec.of("summarize", JsonObject.EMPTY);
    private static final Outcomes DONE = Outcomes.on("success", "done");

    private final PriceTable prices = new PriceTable();

    @Test
    void aTaskWhoseCostIsUnknown_hasThePriceOfItsType() {
        prices.set(Map.of("summarize", Spending.ofUsd("0.25")));
        var priced = TASK.withCost("0.25");

        assertThat(prices.priced(Action.dispatch(TASK, DONE)))
                .isEqualTo(Action.dispatch(priced, DONE));
        assertThat(prices.priced(Action.dispatchParallel(List.of(TASK, TASK), "done")))
                .isEqualTo(Action.dispatchParallel(List.of(priced, priced), "done"));
        assertThat(prices.priced(Action.dispatch(TASK, DONE).compensatedBy(TASK)))
                .isEqualTo(Action.dispatch(priced, DONE).compensatedBy(priced));
    }

    @Test
    void whatItsBlueprintSays_counts() {
        prices.set(Map.of("summarize", Spending.ofUsd("0.25")));
        var own = Action.dispatch(TASK.withCost("3"), DONE);

        assertThat(prices.priced(own)).isEqualTo(own);
    }
}
