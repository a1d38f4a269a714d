package dev.artel.session;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// How much memory takes what workers have declared about themselves. Each of them is bounded, and a token for many names, or for all, has as
/// many of them as its owner likes: those of one token have half of what others leave.
final class StatusRoom {
    /// What a value takes beside its characters, in bytes.
    private static final int PER_VALUE = 48;

    /// A declaration is kept in the form of its messages, as the engine places tasks by it, and as it is stored next.
    private static final int FORMS = 3;

    /// What the engine keeps for a task type, once for all workers that declare it, in bytes.
    private static final int PER_TYPE = 600;

    private static final Sum EMPTY = new Sum();

    private final long most;
    private final Map<WorkerId, Own> declared = new LinkedHashMap<>();
    private final Sum all = new Sum();
    private final Map<String, Sum> ofTokens = new LinkedHashMap<>();

    /// How much room a declaration takes.
    ///
    /// @param bytes without its task types
    record Declared(long bytes, List<String> types) {
        private static final Declared NOTHING = new Declared(0, List.of());

        static Declared of(WorkerStatus status) {
            return new Declared(weight(status), status.known());
        }

        /// Together with the leases that the worker has listed and does not hold.
        Declared with(List<LeaseToken> notHeld) {
            return notHeld.isEmpty() ? this : new Declared(bytes + weightOf(notHeld), types);
        }

        private static long weightOf(List<LeaseToken> tokens) {
            return tokens.stream()
                    .mapToLong(token -> 2L * (PER_VALUE + token.value().length()))
                    .sum();
        }
    }

    /// @param most how many bytes all of them may take
    StatusRoom(long most) {
        this.most = most;
    }

    /// About how many bytes a declaration takes, without what the engine keeps for its task types.
    static long weight(WorkerStatus status) {
        return FORMS * Math.max(weight(status.record()), status.registrationBytes())
                + weight(status.available())
                + weight(status.known())
                + weight(status.hotCache())
                + (status.hotSkills() == null ? 0 : weight(status.hotSkills()));
    }

    private static long weight(List<String> names) {
        return names.stream().mapToLong(name -> PER_VALUE + name.length()).sum();
    }

    /// About how many bytes a value takes in one form.
    static long weight(JsonValue value) {
        return PER_VALUE
                + switch (value) {
                    case JsonString(var text) -> text.length();
                    case JsonArray array -> {
                        var sum = 0L;
                        for (var each : array.values()) {
                            sum += weight(each);
                        }
                        yield sum;
                    }
                    case JsonObject object -> {
                        var sum = 0L;
                        for (var member : object.members().entrySet()) {
                            sum += member.getKey().length() + PER_VALUE + weight(member.getValue());
                        }
                        yield sum;
                    }
                    default -> 0L;
                };
    }

    /// Whether a declaration fits in place of the one that `worker` has: in the room, and in the half of what others leave that the workers of
    /// its token have together. One that is no larger than that always does.
    boolean fits(WorkerId worker, String token, Declared next) {
        var more = all.more(of(worker), next);
        return (more <= 0 || bytes() + more <= most)
                && (moreOfToken(worker, token, next) <= 0
                        || TokenShares.isFair(
                                most, ofToken(worker, token, next), bytes() - bytes(token)));
    }

    /// About how many bytes the workers of a token take, once `worker` is one of them with this declaration.
    long ofToken(WorkerId worker, String token, Declared next) {
        return bytes(token) + moreOfToken(worker, token, next);
    }

    private long moreOfToken(WorkerId worker, String token, Declared next) {
        var known = declared.get(worker);
        var before =
                known != null && known.token().equals(token) ? known.declared() : Declared.NOTHING;
        return ofTokens.getOrDefault(token, EMPTY).more(before, next);
    }

    /// `worker` has this declaration from now on.
    void put(WorkerId worker, String token, Declared next) {
        remove(worker);
        declared.put(worker, new Own(token, next));
        all.add(next);
        ofTokens.computeIfAbsent(token, _ -> new Sum()).add(next);
    }

    /// Nothing is known of `worker` any more.
    void remove(WorkerId worker) {
        var before = declared.remove(worker);
        if (before != null) {
            all.remove(before.declared());
            ofTokens.computeIfPresent(
                    before.token(),
                    (_, sum) -> {
                        sum.remove(before.declared());
                        return sum.bytes() == 0 ? null : sum;
                    });
        }
    }

    private Declared of(WorkerId worker) {
        var own = declared.get(worker);
        return own == null ? Declared.NOTHING : own.declared();
    }

    boolean isFull() {
        return bytes() > most;
    }

    /// About how many bytes all of them take.
    long bytes() {
        return all.bytes();
    }

    /// About how many bytes the workers of a token take together.
    long bytes(String token) {
        return ofTokens.getOrDefault(token, EMPTY).bytes();
    }

    /// What a worker has declared.
    ///
    /// @param token whose token it has
    private record Own(String token, Declared declared) {}

    /// What several workers have declared together.
    private static final class Sum {
        private long taken;

        /// How many times each task type is declared.
        private final Map<String, Integer> types = new LinkedHashMap<>();

        /// How many bytes more it is with `next` in place of `before`, which is part of it.
        long more(Declared before, Declared next) {
            var kept = new LinkedHashSet<>(next.types());
            var fresh = kept.stream().filter(type -> !types.containsKey(type)).count();
            var given =
                    new LinkedHashSet<>(before.types())
                            .stream()
                                    .filter(type -> !kept.contains(type))
                                    .filter(type -> Integer.valueOf(1).equals(types.get(type)))
                                    .count();
            return next.bytes() - before.bytes() + PER_TYPE * (fresh - given);
        }

        void add(Declared next) {
            taken += next.bytes();
            next.types().forEach(type -> types.merge(type, 1, Integer::sum));
        }

        void remove(Declared before) {
            taken -= before.bytes();
            for (var type : before.types()) {
                types.computeIfPresent(
                        type, (_, count) -> count == 1 ? null : (Integer) (count - 1));
            }
        }

        long bytes() {
            return taken + (long) PER_TYPE * types.size();
        }
    }
}
