package dev.artel.kernel.task;

import dev.artel.json.JsonMemory;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// The named values of a job, in the order in which they first came.
///
/// @param values name to value; copied
public record JobData(SequencedMap<String, Payload> values) {
    /// The name of a result that has no members of its own to merge.
    public static final String RESULT = "result";

    /// No values.
    public static final JobData EMPTY = new JobData(new LinkedHashMap<>());

    /// Copies `values`.
    public JobData {
        values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
    }

    /// The members of `object`, each inline.
    public static JobData of(JsonObject object) {
        if (object.isEmpty()) {
            return EMPTY;
        }
        var values = new LinkedHashMap<String, Payload>();
        object.members().forEach((name, value) -> values.put(name, Payload.of(value)));
        return new JobData(values);
    }

    /// What a task that stands alone adds to the data of its job: the members of an object, wherever they are kept;
    /// anything else as the member [#RESULT]; nothing for null.
    public static JobData ofResult(Payload result) {
        return switch (result) {
            case Payload.Inline(JsonObject object) -> of(object);
            case Payload.Members(var members) -> new JobData(members);
            case Payload.Inline(JsonNull _) -> EMPTY;
            case Payload.Inline _, Payload.Ref _, Payload.Slice _ -> {
                var values = new LinkedHashMap<String, Payload>();
                values.put(RESULT, result);
                yield new JobData(values);
            }
        };
    }

    /// The value of `name`, if there is one.
    public Optional<Payload> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /// How many names there are.
    public int size() {
        return values.size();
    }

    /// About how many bytes of the heap the values take, without what is kept outside of the events.
    public long memory() {
        var sum = 0L;
        for (var value : values.entrySet()) {
            sum +=
                    JsonMemory.name(value.getKey())
                            + Payload.MEMBER
                            + Payload.memory(value.getValue());
        }
        return sum;
    }

    /// Whether there is no value.
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /// These values with `value` for `name`.
    public JobData with(String name, Payload value) {
        var more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new JobData(more);
    }

    /// These values with those of `changes` set one by one: a shallow merge.
    public JobData merge(JobData changes) {
        if (changes.isEmpty()) {
            return this;
        }
        var merged = new LinkedHashMap<>(values);
        merged.putAll(changes.values);
        return new JobData(merged);
    }
}
