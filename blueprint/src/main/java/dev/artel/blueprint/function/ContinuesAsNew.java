package dev.artel.blueprint.function;

import dev.artel.json.JsonObject;
import java.io.Serial;

/// Ends a run of a function that begins anew.
final class ContinuesAsNew extends Error {
    @Serial private static final long serialVersionUID = 1;

    final transient JsonObject input;

    ContinuesAsNew(JsonObject input) {
        super("the run continues as new; let this pass", null, false, false);
        this.input = input;
    }
}
