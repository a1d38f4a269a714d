package dev.artel.examples.own;

import static dev.artel.examples.own.OrderBlueprint.CHECK_ORDER;
import static dev.artel.examples.own.OrderBlueprint.SEND_ORDER;
import static dev.artel.examples.own.OrderBlueprint.TOO_RISKY;

import dev.artel.examples.own.OrderBlueprint.Order;
import dev.artel.examples.own.OrderBlueprint.Parcel;
import dev.artel.json.JsonObject;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import dev.artel.worker.WorkerBuilder;

/// Does the tasks of orders.
public final class OrderWorker {
    private OrderWorker() {}

    /// Runs until it receives a signal to end. The environment sets `ORCHESTRATOR_URL` and `WORKER_TOKEN`.
    public static void main(String[] arguments) throws InterruptedException {
        on(Worker.fromEnvironment()).run();
    }

    static WorkerBuilder on(WorkerBuilder worker) {
        return worker.handle(CHECK_ORDER, (order, _) -> check(order))
                .handle(SEND_ORDER, order -> new Parcel("T-" + order.item().hashCode()));
    }

    private static Result check(Order order) {
        return order.amount() > 100 ? Result.of(TOO_RISKY, JsonObject.EMPTY) : Result.success();
    }
}
