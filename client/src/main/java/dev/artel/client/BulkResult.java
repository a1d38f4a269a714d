package dev.artel.client;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// What became of all jobs of a filter, or of a tree.
///
/// @param matched how many jobs there were
/// @param over how many of them had ended, and were left alone
/// @param done how many were changed
/// @param unchanged how many knew already
/// @param failures the others; to do it again does what is left
public record BulkResult(
        long matched, long over, long done, long unchanged, List<Failure> failures) {
    /// A job with which it did not work.
    ///
    /// @param code for programs, such as `store_unavailable`
    /// @param detail what was found and what to do
    public record Failure(JobRef job, String code, String detail) {}

    /// Copies `failures`.
    public BulkResult {
        failures = List.copyOf(failures);
    }

    static final BulkResult NONE = new BulkResult(0, 0, 0, 0, List.of());

    /// This and what one more page of jobs has brought.
    BulkResult and(JsonObject page) {
        var all = new ArrayList<>(failures);
        page.array("failures").orElse(JsonArray.EMPTY).stream()
                .filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast)
                .forEach(each ->
                        all.add(
                                new Failure(
                                        new JobRef(each.string("job_id").orElse("?")),
                                        each.string("code").orElse(""),
                                        each.string("detail")
                                                .or(() -> each.string("error"))
                                                .orElse(""))));
        return new BulkResult(
                matched + number(page, "matched"),
                over + number(page, "over"),
                done + number(page, "done"),
                unchanged + number(page, "unchanged"),
                all);
    }

    private static long number(JsonObject page, String name) {
        return page.number(name).map(number -> number.asLong()).orElse(0L);
    }
}
