package dev.artel.server.api.control;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.JsonErrors;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What one request did to many jobs, in the one form in which all such requests answer: how many it matched, how many of them
/// were over, were changed, knew already and failed, and which failed and why. For one thread.
final class BulkTally {
    private static final int SERVER_ERROR = 500;

    private final boolean isDry;
    private final List<JsonValue> failures = new ArrayList<>();
    private int matched;
    private int over;
    private int done;
    private int unchanged;

    /// Whether a job may have been changed of which that is not known.
    private boolean isUncertain;

    /// @param isDry whether the request only counts
    BulkTally(boolean isDry) {
        this.isDry = isDry;
    }

    /// What became of one job.
    sealed interface Outcome {}

    /// The command changed it.
    private record Changed() implements Outcome {}

    /// It knew that already.
    private record Known() implements Outcome {}

    /// It had ended.
    private record Over() implements Outcome {}

    private record Failed(HttpRefusal refusal) implements Outcome {}

    /// Sends `command` to a job. Safe for use by many threads.
    static Outcome outcome(Supplier<CommandReply> command) {
        try {
            return switch (command.get()) {
                case CommandReply.Done(boolean changed) -> changed ? new Changed() : new Known();
                case CommandReply.Refused(var reason, var detail) ->
                        isOver(reason) ? new Over() : new Failed(Refusals.of(reason, detail));
                case CommandReply.TryLater(var after, var detail) ->
                        new Failed(HttpRefusal.later(after, detail));
            };
        } catch (ValueTooLarge tooLarge) {
            return new Failed(JsonErrors.refusal(tooLarge));
        } catch (StoreException away) {
            return new Failed(JsonErrors.refusal(away));
        }
    }

    /// It ended, or was removed, after the list was read.
    private static boolean isOver(Decision.Reason reason) {
        return reason == Decision.Reason.FINAL || reason == Decision.Reason.UNKNOWN_JOB;
    }

    /// So many jobs were found, and so many of them were over, to which no command is sent.
    void matched(int jobs, int ofThemOver) {
        matched += jobs;
        over += ofThemOver;
    }

    /// What became of a job that is among those that were [#matched].
    void add(JobId job, Outcome outcome) {
        switch (outcome) {
            case Changed _ -> done++;
            case Known _ -> unchanged++;
            case Over _ -> over++;
            case Failed(var refusal) -> {
                isUncertain |= refusal.status() >= SERVER_ERROR;
                failures.add(
                        JsonObject.builder()
                                .put("job_id", job.value())
                                .put("http_status", refusal.status())
                                .putAll(refusal.reason())
                                .build());
            }
        }
    }

    /// How many jobs a command was sent to that were not over.
    int reached() {
        return done + unchanged + failures.size();
    }

    /// Answers 200, and gives the counts to the audit.
    ///
    /// @param nextCursor there are more jobs: the cursor with which the same is sent again
    void answer(Context request, Optional<String> nextCursor) {
        var counts = counts();
        request.attribute(ApiAuthenticator.DETAIL, counts.toString());
        if (done == 0 && !isUncertain) {
            ApiAuthenticator.changesNothing(request);
        }
        Answers.json(request, 200, withFailures(counts, nextCursor));
    }

    /// The answer as an object.
    JsonObject answer(Optional<String> nextCursor) {
        return withFailures(counts(), nextCursor);
    }

    private JsonObject counts() {
        return JsonObject.builder()
                .put("matched", matched)
                .put("over", over)
                .put("done", done)
                .put("unchanged", unchanged)
                .put("failed", failures.size())
                .put("dry_run", isDry)
                .build();
    }

    private JsonObject withFailures(JsonObject counts, Optional<String> nextCursor) {
        var answer =
                JsonObject.builder()
                        .putAll(counts)
                        .put("failures", new JsonArray(List.copyOf(failures)));
        nextCursor.ifPresent(cursor -> answer.put("next_cursor", cursor));
        return answer.build();
    }
}
