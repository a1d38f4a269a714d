package dev.artel.json.bind;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/// A JSON value does not fit the Java type that was asked for; the message has all that is wrong. The caller that
/// made the value has to change it.
public final class Unfit extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final transient List<Mismatch> mismatches;

    Unfit(List<Mismatch> mismatches) {
        super(mismatches.stream().map(Mismatch::toString).collect(Collectors.joining("; ")));
        this.mismatches = List.copyOf(mismatches);
    }

    /// Each thing that is wrong, in the order of the type; at least one.
    public List<Mismatch> mismatches() {
        return mismatches;
    }
}
