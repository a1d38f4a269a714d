package dev.artel.kernel.placement;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Why a worker was chosen; kept with the attempt, at most [#MAX_BYTES] as JSON: what is too much is left out, the
/// misses first.
///
/// @param winner who was chosen
/// @param wire over which the winner gets its tasks
/// @param because in words, at most 200 characters
/// @param best the best candidates with their scores, best first, at most 5
/// @param refused how many workers each reason refused
/// @param nearest workers that offer the type and whose profile misses what the task asks for, nearest first, at most 5
/// @param fleet the version of the fleet at that moment
public record Placement(
        WorkerId winner,
        String wire,
        String because,
        List<Candidate> best,
        SequencedMap<Refusal, Integer> refused,
        List<UnmetRequirement> nearest,
        long fleet) {
    /// The most bytes of a placement, written as JSON in UTF-8.
    public static final int MAX_BYTES = 2048;

    /// The most candidates, and the most misses.
    public static final int MOST = 5;

    private static final int LONGEST_BECAUSE = 200;

    /// A worker that could have taken the task.
    ///
    /// @param wire over which it gets its tasks
    /// @param score what it was compared by, in this order; lower is better
    public record Candidate(WorkerId worker, String wire, List<Figure> score) {
        /// Copies `score`.
        public Candidate {
            score = List.copyOf(score);
        }
    }

    /// A part of a score.
    ///
    /// @param value infinite where it is not known
    public record Figure(String name, double value) {}

    /// Copies, and keeps the limits.
    public Placement {
        because =
                because.length() <= LONGEST_BECAUSE
                        ? because
                        : because.substring(0, LONGEST_BECAUSE);
        best = List.copyOf(best.size() > MOST ? best.subList(0, MOST) : best);
        var misses =
                nearest instanceof ClosestWorkers known ? known : ClosestWorkers.firstOf(nearest);
        nearest = misses;
        if (!(refused instanceof RefusalCounts)) {
            refused = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(refused));
        }
        var bytes = Size.of(winner, wire, because, refused) + Size.ofAll(best) + misses.bytes();
        while (bytes > MAX_BYTES && !nearest.isEmpty()) {
            bytes -= Size.of(nearest.getLast());
            nearest = nearest.subList(0, nearest.size() - 1);
        }
        while (bytes > MAX_BYTES && !best.isEmpty()) {
            bytes -= Size.of(best.getLast());
            best = best.subList(0, best.size() - 1);
        }
    }

    /// A placement of a worker on HTTP, for which no worker came near but those that could take it.
    public Placement(
            WorkerId winner,
            String because,
            List<Candidate> best,
            SequencedMap<Refusal, Integer> refused,
            long fleet) {
        this(winner, WorkerProfile.HTTP, because, best, refused, List.of(), fleet);
    }

    /// The most bytes that something takes as JSON.
    static final class Size {
        private static final int NAMES = 110;
        private static final int NUMBER = 26;

        private static final int WIRE = 10;
        private static final Refusal[] REFUSALS = Refusal.values();

        static int of(
                WorkerId winner,
                String wire,
                String because,
                SequencedMap<Refusal, Integer> refused) {
            var size = NAMES + NUMBER + text(winner.value()) + wire(wire) + text(because);
            for (var refusal : REFUSALS) {
                size += refused.containsKey(refusal) ? refusal.name().length() + 14 : 0;
            }
            return size;
        }

        static int ofAll(List<Candidate> candidates) {
            var size = 0;
            for (var candidate : candidates) {
                size += of(candidate);
            }
            return size;
        }

        static int of(Candidate candidate) {
            var size = 27 + text(candidate.worker().value()) + wire(candidate.wire());
            for (var figure : candidate.score()) {
                size += 4 + text(figure.name()) + NUMBER;
            }
            return size;
        }

        static int ofMisses(List<UnmetRequirement> unmetRequirements) {
            var size = 0;
            for (var unmetRequirement : unmetRequirements) {
                size += of(unmetRequirement);
            }
            return size;
        }

        static int of(UnmetRequirement unmetRequirement) {
            return 64
                    + text(unmetRequirement.worker().value())
                    + wire(unmetRequirement.wire())
                    + unmetRequirement.refusal().name().length()
                    + text(unmetRequirement.what())
                    + value(unmetRequirement.has())
                    + value(unmetRequirement.needs());
        }

        private static int value(JsonValue value) {
            return 4
                    + switch (value) {
                        case JsonNumber number when number.isLong() -> digits(number.asLong());
                        case JsonString(var string) -> 2 + text(string);
                        case JsonNumber _, JsonArray _, JsonObject _, JsonBoolean _, JsonNull _ ->
                                text(value.toString());
                    };
        }

        private static int wire(String wire) {
            return WIRE + text(wire);
        }

        private static int digits(long value) {
            var digits = value < 0 ? 2 : 1;
            for (var rest = value / 10; rest != 0; rest /= 10) {
                digits++;
            }
            return digits;
        }

        /// Two for a character that may be escaped, three for one beyond ASCII, six for a control character.
        private static int text(String text) {
            var size = 0;
            for (var i = 0; i < text.length(); i++) {
                var c = text.charAt(i);
                size += c < ' ' ? 6 : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : 3;
            }
            return size;
        }
    }
}
