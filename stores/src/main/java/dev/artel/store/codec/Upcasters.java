package dev.artel.store.codec;

import dev.artel.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Turns stored forms of old versions into the current one, a version at a time.
///
/// An upcaster is a pure function from the members of version `n` to those of version `n + 1`, without `type` and `v`;
/// the members it gives are in the order in which the current format reads them. It stays as long as any user may have
/// events of its version.
final class Upcasters {
    /// All that there are.
    static final Upcasters ALL =
            new Upcasters()
                    .and(EventType.LEASE_GRANTED.type(), 1, PlacementCodec::nameTheScore)
                    .and(CommandType.GRANT.type(), 1, PlacementCodec::nameTheScore);

    private final Map<Step, UnaryOperator<JsonObject>> steps;

    private record Step(String type, int from) {}

    private Upcasters() {
        this(new LinkedHashMap<>());
    }

    private Upcasters(Map<Step, UnaryOperator<JsonObject>> steps) {
        this.steps = steps;
    }

    /// These, and one from version `from` of `type` to the next.
    Upcasters and(String type, int from, UnaryOperator<JsonObject> upcaster) {
        var more = new LinkedHashMap<>(steps);
        more.put(new Step(type, from), upcaster);
        return new Upcasters(more);
    }

    /// The members of the current version of `type`.
    ///
    /// @throws IllegalArgumentException if there is no way from version `from`
    JsonObject upcast(Versioned type, int from, JsonObject members) {
        var upcast = members;
        for (var version = from; version < type.version(); version++) {
            var step = steps.get(new Step(type.type(), version));
            if (step == null) {
                throw new IllegalArgumentException(
                        "found version "
                                + version
                                + " of type \""
                                + type.type()
                                + "\", which has no way to version "
                                + type.version());
            }
            upcast = step.apply(upcast);
        }
        return upcast;
    }
}
