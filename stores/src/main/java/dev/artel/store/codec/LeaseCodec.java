package dev.artel.store.codec;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import java.io.IOException;

/// The form of leases and how they end.
final class LeaseCodec {
    private LeaseCodec() {}

    static void writeLease(String name, Lease lease, JsonOut out) throws IOException {
        out.begin(name);
        switch (lease) {
            case Lease(
                            var token,
                            var worker,
                            var instance,
                            var attempt,
                            var timeout,
                            var reserved) -> {
                writeToken("token", token, out);
                writeWorker("worker", worker, out);
                writeInstance(instance, out);
                out.number("attempt", attempt);
                out.instant("timeout", timeout);
                BudgetCodec.writeSpending("reserved", reserved, out);
            }
        }
        out.end();
    }

    static Lease readLease(String name, JsonIn in) throws IOException {
        in.begin(name);
        var lease =
                new Lease(
                        readToken("token", in),
                        readWorker("worker", in),
                        readInstance(in),
                        in.integer("attempt"),
                        in.instant("timeout"),
                        BudgetCodec.readSpending("reserved", in));
        in.end();
        return lease;
    }

    static void writeToken(String name, LeaseToken token, JsonOut out) throws IOException {
        out.text(name, token.value());
    }

    static LeaseToken readToken(String name, JsonIn in) throws IOException {
        return new LeaseToken(in.text(name));
    }

    static void writeWorker(String name, WorkerId worker, JsonOut out) throws IOException {
        out.text(name, worker.value());
    }

    static WorkerId readWorker(String name, JsonIn in) throws IOException {
        return new WorkerId(in.text(name));
    }

    /// A process that is not known is not written.
    static void writeInstance(WorkerInstance instance, JsonOut out) throws IOException {
        if (!instance.value().isEmpty()) {
            out.text("instance", instance.value());
        }
    }

    static WorkerInstance readInstance(JsonIn in) throws IOException {
        return in.isNext("instance")
                ? new WorkerInstance(in.text("instance"))
                : WorkerInstance.UNKNOWN;
    }

    /// The names of the two kinds do not overlap.
    static void writeEnding(String name, LeaseEnd ending, JsonOut out) throws IOException {
        out.text(name, ending.name());
    }

    static LeaseEnd.Lost readLost(String name, JsonIn in) throws IOException {
        return LeaseEnd.Lost.valueOf(in.text(name));
    }

    static LeaseEnd.Returned readReturned(String name, JsonIn in) throws IOException {
        return LeaseEnd.Returned.valueOf(in.text(name));
    }

    static LeaseEnd readEnding(String name, JsonIn in) throws IOException {
        var text = in.text(name);
        for (var lost : LeaseEnd.Lost.values()) {
            if (lost.name().equals(text)) {
                return lost;
            }
        }
        return LeaseEnd.Returned.valueOf(text);
    }
}
