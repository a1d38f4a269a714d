package dev.artel.store.codec;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.UnmetRequirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// The form of placements.
final class PlacementCodec {
    private PlacementCodec() {}

    static void write(String name, Placement placement, JsonOut out) throws IOException {
        out.begin(name);
        switch (placement) {
            case Placement(
                            var winner,
                            var wire,
                            var because,
                            var best,
                            var refused,
                            var nearest,
                            var fleet) -> {
                LeaseCodec.writeWorker("winner", winner, out);
                writeWire(wire, out);
                out.text("because", because);
                writeCandidates(best, out);
                writeRefused(refused, out);
                writeMisses(nearest, out);
                out.number("fleet", fleet);
            }
        }
        out.end();
    }

    static Placement read(String name, JsonIn in) throws IOException {
        in.begin(name);
        var placement =
                new Placement(
                        LeaseCodec.readWorker("winner", in),
                        readWire(in),
                        in.text("because"),
                        readCandidates(in),
                        readRefused(in),
                        readMisses(in),
                        in.number("fleet"));
        in.end();
        return placement;
    }

    /// Workers on HTTP have no wire there, as all had before there were others.
    private static void writeWire(String wire, JsonOut out) throws IOException {
        if (!wire.equals(WorkerProfile.HTTP)) {
            out.text("wire", wire);
        }
    }

    private static String readWire(JsonIn in) throws IOException {
        return in.isNext("wire") ? in.text("wire") : WorkerProfile.HTTP;
    }

    private static void writeCandidates(List<Placement.Candidate> best, JsonOut out)
            throws IOException {
        out.beginArray("best");
        for (var candidate : best) {
            out.begin();
            switch (candidate) {
                case Placement.Candidate(var worker, var wire, var score) -> {
                    LeaseCodec.writeWorker("worker", worker, out);
                    writeWire(wire, out);
                    out.begin("score");
                    for (var figure : score) {
                        out.figure(figure.name(), figure.value());
                    }
                    out.end();
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
            best.add(
                    new Placement.Candidate(
                            LeaseCodec.readWorker("worker", in), readWire(in), readScore(in)));
            in.end();
        }
        return best;
    }

    private static List<Placement.Figure> readScore(JsonIn in) throws IOException {
        in.begin("score");
        var score = new ArrayList<Placement.Figure>();
        for (var figure = in.nextName(); figure != null; figure = in.nextName()) {
            score.add(new Placement.Figure(figure, in.decimal(figure)));
        }
        in.end();
        return score;
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

    private static void writeMisses(List<UnmetRequirement> unmetRequirements, JsonOut out)
            throws IOException {
        if (unmetRequirements.isEmpty()) {
            return;
        }
        out.beginArray("nearest");
        for (var unmetRequirement : unmetRequirements) {
            out.begin();
            switch (unmetRequirement) {
                case UnmetRequirement(
                                var worker,
                                var wire,
                                var refusal,
                                var what,
                                var has,
                                var needs) -> {
                    LeaseCodec.writeWorker("worker", worker, out);
                    writeWire(wire, out);
                    out.text("refusal", refusal.name());
                    out.text("what", what);
                    out.value("has", has);
                    out.value("needs", needs);
                }
            }
            out.end();
        }
        out.endArray();
    }

    private static List<UnmetRequirement> readMisses(JsonIn in) throws IOException {
        var unmetRequirements = new ArrayList<UnmetRequirement>();
        if (in.isNext("nearest")) {
            in.beginArray("nearest");
            while (in.beginNext()) {
                unmetRequirements.add(
                        new UnmetRequirement(
                                LeaseCodec.readWorker("worker", in),
                                readWire(in),
                                Refusal.valueOf(in.text("refusal")),
                                in.text("what"),
                                in.value("has"),
                                in.value("needs")));
                in.end();
            }
        }
        return unmetRequirements;
    }

    /// Version 1 had one figure for a score.
    static JsonObject nameTheScore(JsonObject old) {
        var placement = old.object("placement").orElse(JsonObject.EMPTY);
        var best =
                placement.array("best").orElse(JsonArray.EMPTY).stream()
                        .map(PlacementCodec::nameTheScoreOf)
                        .toList();
        return old.with("placement", placement.with("best", new JsonArray(best)));
    }

    private static JsonValue nameTheScoreOf(JsonValue candidate) {
        return candidate instanceof JsonObject it
                ? it.get("score")
                        .<JsonValue>map(score -> it.with("score", JsonObject.of("score", score)))
                        .orElse(it)
                : candidate;
    }
}
