package dev.artel.examples.own;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.ChoiceState;
import dev.artel.blueprint.DataStore;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.On;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.When;

/// An order: what is expensive is checked, what is in stock is sent, and all that was sent is counted.
@BlueprintDefinition(
        name = "order",
        version = "1",
        initialData = OrderBlueprint.Order.class,
        dataStores = "sales",
        failedEnds = OrderBlueprint.DECLINED)
@ChoiceState(
        value = OrderBlueprint.BEGIN,
        start = true,
        when =
                @When(
                        value = "initial_data.amount * initial_data.price > 1000",
                        state = OrderBlueprint.CHECK),
        otherwise = OrderBlueprint.SEND)
public final class OrderBlueprint {
    /// What a client orders.
    public record Order(String item, int amount, int price) {}

    /// What becomes of it.
    public record Sent(String tracking, int soldSoFar) {}

    record Parcel(String tracking) {}

    static final BlueprintType<Order, Sent> ORDER =
            BlueprintType.of("order", Order.class, Sent.class);
    static final TaskType<Order, Nothing> CHECK_ORDER = TaskType.of("check_order", Order.class);
    static final TaskType<Order, Parcel> SEND_ORDER =
            TaskType.of("send_order", Order.class, Parcel.class);

    /// The outcome of a check with which an order is declined.
    static final String TOO_RISKY = "too_risky";

    static final String BEGIN = "begin";
    static final String CHECK = "check";
    static final String SEND = "send";
    static final String COUNT = "count";
    static final String DECLINED = "declined";

    @StateHandler(value = CHECK, leadsTo = SEND, on = @On(value = TOO_RISKY, state = DECLINED))
    TaskCall<Nothing> check(Order initialData) {
        return TaskCall.of(CHECK_ORDER, initialData);
    }

    @StateHandler(value = SEND, resultAs = "parcel", leadsTo = COUNT)
    TaskCall<Parcel> send(Order initialData) {
        return TaskCall.of(SEND_ORDER, initialData);
    }

    @StateHandler(COUNT)
    Sent count(Order initialData, Parcel parcel, String jobId, DataStore<Integer> sales) {
        // A handler may run again after a crash: the entry of the job is made once.
        sales.putIf("job/" + jobId, 0, initialData.amount());
        var sold = sales.list("job/", "", 1000).stream().mapToInt(DataStore.Entry::value).sum();
        return new Sent(parcel.tracking() + " (" + initialData.item() + ")", sold);
    }
}
