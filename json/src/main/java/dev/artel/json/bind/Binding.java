package dev.artel.json.bind;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes Java values of one type from JSON values, and reports of a value that does not fit everything that is wrong, up to a hundred
/// things.
///
/// Types are records of such types, those of `dev.artel.json`, strings, numbers, booleans, enums, [java.time.Instant],
/// [java.time.Duration], [java.util.Optional], [List] and [java.util.Map] with string keys. A record's component is
/// bound to the member of its name, as written or in snake case; components of type `Optional`, `List` or `Map` and
/// those that are `@Nullable` may be absent. Safe for use by many threads.
public final class Binding {
    private final Shape shape;

    private Binding(Shape shape) {
        this.shape = shape;
    }

    /// A binding to `type` that ignores members which a record has no component for.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Binding of(Type type) {
        return new Binding(Shapes.lenient().of(type));
    }

    /// A binding to `type` that refuses members which a record has no component for.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Binding strict(Type type) {
        return new Binding(Shapes.strict().of(type));
    }

    /// The Java value of `value`, which stands at `path`.
    ///
    /// @throws Unfit if it does not fit
    public Object bind(JsonValue value, String path) {
        var mismatches = new Mismatches();
        var bound = shape.read(value, path, mismatches);
        if (bound == null || !mismatches.isEmpty()) {
            throw new Unfit(mismatches.all());
        }
        return bound;
    }

    /// Everything that keeps `value`, which stands at `path`, from fitting, up to a hundred things and that there are more; empty if it fits.
    public List<Mismatch> mismatches(JsonValue value, String path) {
        var mismatches = new Mismatches();
        shape.read(value, path, mismatches);
        return mismatches.all();
    }

    /// What an absent value is taken for; null if it must be there.
    public @Nullable Object absent() {
        return shape.absent();
    }

    /// The JSON Schema (2020-12) of what fits.
    public JsonObject schema() {
        return shape.schema();
    }
}
