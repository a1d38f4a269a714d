package dev.artel.store.codec;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import java.io.IOException;

/// The form of leases and how they end.
final class LeaseParts {
    private LeaseParts() {}

    static void writeLease(String name, Lease lease, JsonOut out) throws IOException {
        out.begin(name);
        switch (lease) {
            case Lease(var token, var worker, var attempt, var timeout) -> {
                writeToken("token", token, out);
                writeWorker("worker", worker, out);
                out.number("attempt", attempt);
                out.instant("timeout", timeout);
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
                        in.integer("attempt"),
                        in.instant("timeout"));
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

    /// The names of the two kinds do not overlap.
    static void writeEnding(String name, LeaseEnding ending, JsonOut out) throws IOException {
        out.text(name, ending.name());
    }

    static LeaseEnding.Lost readLost(String name, JsonIn in) throws IOException {
        return LeaseEnding.Lost.valueOf(in.text(name));
    }

    static LeaseEnding.Returned readReturned(String name, JsonIn in) throws IOException {
        return LeaseEnding.Returned.valueOf(in.text(name));
    }

    static LeaseEnding readEnding(String name, JsonIn in) throws IOException {
        var text = in.text(name);
        for (var lost : LeaseEnding.Lost.values()) {
            if (lost.name().equals(text)) {
                return lost;
            }
        }
        return LeaseEnding.Returned.valueOf(text);
    }
}
