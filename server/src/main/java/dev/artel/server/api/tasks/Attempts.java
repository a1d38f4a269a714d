package dev.artel.server.api.tasks;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobEvent;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.people.QuestionDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The attempts at one task, read off the events of its job: the newest, since a task that is given back again and again has any number of
/// them. Two of them may run at once.
final class Attempts {
    /// How many are kept and shown.
    static final int MOST = 100;

    private final int task;
    private final SequencedMap<LeaseToken, Attempt> all = new LinkedHashMap<>();
    private long leftOut;

    private static final class Attempt {
        final JsonObject.Builder json;
        final List<JsonValue> questions = new ArrayList<>();
        boolean ended;

        Attempt(JsonObject.Builder json) {
            this.json = json;
        }

        JsonObject build() {
            if (!questions.isEmpty()) {
                json.put("questions", new JsonArray(questions));
            }
            return json.build();
        }
    }

    Attempts(int task) {
        this.task = task;
    }

    /// Those at `task` of a job.
    static Attempts of(JobReading reading, int task) {
        var attempts = new Attempts(task);
        reading.events(attempts::on);
        return attempts;
    }

    /// Each hand-out and how it ended, oldest first.
    JsonArray shown() {
        return new JsonArray(all.values().stream().<JsonValue>map(Attempt::build).toList());
    }

    /// How many there were before those that are shown.
    long leftOut() {
        return leftOut;
    }

    /// The next event of the job.
    void on(JobEvent event) {
        if (event instanceof JobEvent.AttemptEvent attempt && attempt.task() == task) {
            happened(attempt);
        }
    }

    private void happened(JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.LeaseGranted grant -> begin(grant);
            case JobEvent.TaskSucceeded e -> {
                end(e.token(), event, "succeeded", json -> json.put("status", e.status()));
                for (var token : running()) {
                    end(token, event, "superseded", _ -> {});
                }
            }
            case JobEvent.AttemptFailed e ->
                    end(
                            e.token(),
                            event,
                            "failed",
                            json -> json.put("error", ApiJson.of(e.error())));
            case JobEvent.TaskFailed e -> {
                for (var token : running()) {
                    end(token, event, "failed", json -> json.put("error", ApiJson.of(e.error())));
                }
            }
            case JobEvent.AttemptDropped e ->
                    end(e.token(), event, "dropped", json -> json.put("reason", e.reason()));
            case JobEvent.LeaseLost e ->
                    end(e.token(), event, "lost", json -> json.put("reason", e.reason().text()));
            case JobEvent.QuestionAsked e -> {
                var asking = all.get(e.token());
                if (asking != null) {
                    asking.questions.add(QuestionDocument.asked(e));
                }
            }
            case JobEvent.OutcomeUnknown e ->
                    end(e.token(), event, "in_doubt", json -> json.put("reason", e.reason()));
            case JobEvent.LeaseReturned e ->
                    end(
                            e.token(),
                            event,
                            "returned",
                            json -> json.put("reason", e.reason().text()));
            case JobEvent.LeaseReleased e -> {
                var attempt = all.get(e.token());
                if (attempt != null) {
                    attempt.json.put("released_at", ApiJson.of(e.at()));
                }
            }
            case JobEvent.AttemptSettled e -> {
                var attempt = all.get(e.token());
                if (attempt != null) {
                    attempt.json.put("spent", BudgetDocument.amounts(e.spent()));
                }
            }
            case JobEvent.HedgeBegun _,
                    JobEvent.AttemptWithheld _,
                    JobEvent.QuestionAnswered _,
                    JobEvent.OutcomeResolved _ -> {
                // No attempt begins or ends with it.
            }
        }
    }

    private void begin(JobEvent.LeaseGranted grant) {
        all.put(
                grant.lease().token(),
                new Attempt(
                        JsonObject.builder()
                                .put("attempt", grant.lease().attempt())
                                .put("worker", grant.lease().worker().value())
                                .put("granted_at", ApiJson.of(grant.at()))
                                .put("placement", PlacementDocument.of(grant.placement()))));
        if (all.size() > MOST) {
            all.pollFirstEntry();
            leftOut++;
        }
    }

    private List<LeaseToken> running() {
        var running = new ArrayList<LeaseToken>();
        all.forEach((token, attempt) -> {
            if (!attempt.ended) {
                running.add(token);
            }
        });
        return running;
    }

    private void end(LeaseToken token, JobEvent event, String how, Details details) {
        @Nullable Attempt attempt = all.get(token);
        if (attempt != null) {
            attempt.ended = true;
            attempt.json.put("ended_at", ApiJson.of(event.at())).put("ended", how);
            details.of(attempt.json);
        }
    }

    @FunctionalInterface
    private interface Details {
        void of(JsonObject.Builder json);
    }
}
