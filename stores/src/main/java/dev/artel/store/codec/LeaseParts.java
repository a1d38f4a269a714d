package dev.artel.store.codec;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// The form of leases, how they end, and placements.
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

    static void writePlacement(String name, Placement placement, JsonOut out) throws IOException {
        out.begin(name);
        switch (placement) {
            case Placement(var winner, var because, var best, var refused, var fleet) -> {
                writeWorker("winner", winner, out);
                out.text("because", because);
                writeCandidates(best, out);
                writeRefused(refused, out);
                out.number("fleet", fleet);
            }
        }
        out.end();
    }

    static Placement readPlacement(String name, JsonIn in) throws IOException {
        in.begin(name);
        var placement =
                new Placement(
                        readWorker("winner", in),
                        in.text("because"),
                        readCandidates(in),
                        readRefused(in),
                        in.number("fleet"));
        in.end();
        return placement;
    }

    private static void writeCandidates(List<Placement.Candidate> best, JsonOut out)
            throws IOException {
        out.beginArray("best");
        for (var candidate : best) {
            out.begin();
            switch (candidate) {
                case Placement.Candidate(var worker, var score) -> {
                    writeWorker("worker", worker, out);
                    out.decimal("score", score);
                }
            }
            out.end();
        }
        out.endArray();
    }

    private static List<Placement.Candidate> readCandidates(JsonIn in) throws IOException {
        in.beginArray("best");
        var best = new ArrayList<Placement.Candidate>();
        while (in.beginNext()) {
            best.add(new Placement.Candidate(readWorker("worker", in), in.decimal("score")));
            in.end();
        }
        return best;
    }

    private static void writeRefused(SequencedMap<Refusal, Integer> refused, JsonOut out)
            throws IOException {
        if (refused.isEmpty()) {
            return;
        }
        out.begin("refused");
        for (Map.Entry<Refusal, Integer> entry : refused.entrySet()) {
            out.number(entry.getKey().name(), entry.getValue());
        }
        out.end();
    }

    private static SequencedMap<Refusal, Integer> readRefused(JsonIn in) throws IOException {
        var refused = new LinkedHashMap<Refusal, Integer>();
        if (in.beginIfThere("refused")) {
            for (var reason = in.nextName(); reason != null; reason = in.nextName()) {
                refused.put(Refusal.valueOf(reason), in.integer(reason));
            }
            in.end();
        }
        return refused;
    }
}
