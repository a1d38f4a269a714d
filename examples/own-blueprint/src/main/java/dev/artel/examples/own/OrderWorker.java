package dev.artel.examples.own;

import dev.artel.json.JsonObject;
import dev.artel.worker.Handles;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;

/// Does the tasks of orders.
public final class OrderWorker {
    record Parcel(String item, int amount) {}

    record Tracking(String tracking) {}

    @Handles("check_order")
    Result check(Parcel parcel) {
        return parcel.amount() > 100 ? Result.of("too_risky", JsonObject.EMPTY) : Result.success();
    }

    @Handles("send_order")
    Tracking send(Parcel parcel) {
        return new Tracking("T-" + parcel.item().hashCode());
    }

    /// Runs until it receives a signal to end. The environment says `ORCHESTRATOR_URL` and `WORKER_TOKEN`.
    public static void main(String[] arguments) throws InterruptedException {
        try (var worker =
                Worker.fromEnvironment().handlers(new OrderWorker()).build()) {
            worker.start();
            worker.awaitStopped();
        }
    }
}
