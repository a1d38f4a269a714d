package dev.artel.examples.own;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonValue;
import dev.artel.kernel.annotated.BlueprintDefinition;
import dev.artel.kernel.annotated.On;
import dev.artel.kernel.annotated.StateHandler;
import dev.artel.kernel.store.DataStore;
import dev.artel.kernel.task.TaskSpec;

/// An order: what is expensive is checked, what is in stock is sent, and all that was sent is counted.
@BlueprintDefinition(
        name = "order",
        version = "1",
        initialData = OrderBlueprint.Order.class,
        data = "tracking",
        dataStores = "sales",
        failedEnds = "declined")
public final class OrderBlueprint {
    /// What a client orders.
    public record Order(String item, int amount, int price) {}

    /// What becomes of it.
    public record Sent(String tracking, long soldSoFar) {}

    record Tracking(String tracking) {}

    static final BlueprintType<Order, Sent> ORDER =
            BlueprintType.of("order", Order.class, Sent.class);
    static final TaskType<Order, Nothing> CHECK_ORDER = TaskType.of("check_order", Order.class);
    static final TaskType<Order, Tracking> SEND_ORDER =
            TaskType.of("send_order", Order.class, Tracking.class);

    @StateHandler(
            value = "begin",
            start = true,
            when = "initial_data.amount * initial_data.price > 1000",
            leadsTo = "check")
    void large() {}

    @StateHandler(value = "begin", leadsTo = "send")
    void small() {}

    @StateHandler(
            value = "check",
            on = {
                @On(value = "success", state = "send"),
                @On(value = "too_risky", state = "declined")
            })
    TaskSpec check(Order initialData) {
        return TaskCall.of(CHECK_ORDER, initialData).task();
    }

    @StateHandler(value = "send", on = @On(value = "success", state = "count"))
    TaskSpec send(Order initialData) {
        return TaskCall.of(SEND_ORDER, initialData).task();
    }

    @StateHandler("count")
    Sent count(String item, int amount, String tracking, String jobId, DataStore sales) {
        // A handler may run again after a crash: the entry of the job is made once.
        sales.putIf("job/" + jobId, 0, JsonValue.of(amount));
        var sold = 0L;
        for (var sale : sales.list("job/", "", 1000)) {
            sold += ((JsonNumber) sale.value()).asLong();
        }
        return new Sent(tracking + " (" + item + ")", sold);
    }
}
