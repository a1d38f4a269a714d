package dev.artel.server.api.people;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Numbers;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;

/// What workers want to know before they go on, and the answers.
public final class QuestionRoutes {
    private static final int LARGEST_BODY = 128 * 1024;
    private static final String OPEN = "0.";
    private static final String ANSWERED = "1.";
    private static final List<String> FIELDS = List.of("answer");

    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final EventStore store;
    private final Bodies bodies = new Bodies(LARGEST_BODY);

    /// Routes for the questions of the jobs that `visible` shows.
    public QuestionRoutes(Lifecycle lifecycle, VisibleJobs visible, EventStore store) {
        this.lifecycle = lifecycle;
        this.visible = visible;
        this.store = store;
    }

    /// A question or its answer.
    ///
    /// @param key what waits for an answer stands first
    private record Listed(String key, JsonObject shown) {}

    /// What waits for an answer, then what has one.
    public void list(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var job =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound)
                        .job();
        var listed = new ArrayList<Listed>();
        for (var task : job.tasks()) {
            task.asked()
                    .ifPresent(openQuestion ->
                            listed.add(
                                    new Listed(
                                            OPEN + Page.key(openQuestion.number()),
                                            QuestionDocument.open(task, openQuestion))));
            task.answers()
                    .forEach(answer ->
                            listed.add(
                                    new Listed(
                                            ANSWERED + Page.key(answer.number()),
                                            QuestionDocument.answered(task, answer))));
        }
        Page.ofAll(request, "questions", listed.stream(), Listed::key, Listed::shown);
    }

    /// Answers a question under the name of the caller.
    public void answer(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var answer = answer(bodies.object(request, FIELDS));
        var row = visible.of(request, caller);
        var number = Numbers.among(request.pathParam("question"), Integer.MAX_VALUE);
        var reply = engine.answer(row.id(), number, answer, "client " + caller.name());
        if (reply instanceof CommandReply.Refused(var reason, var detail)) {
            if (reason == Decision.Reason.NO_SUCH_CHOICE || reason == Decision.Reason.FULL) {
                throw new HttpRefusal(ErrorCode.INVALID_BODY, "Invalid answer", detail);
            }
            if (reason == Decision.Reason.NOT_AWAITED) {
                throw new HttpRefusal(
                        ErrorCode.NOT_AWAITED, "No task waits for this answer", detail);
            }
        }
        var _ = Refusals.changed(request, reply);
        Answers.json(request, 200, JsonObject.of("status", JsonValue.of("answered")));
    }

    private static String answer(JsonObject body) {
        if (body.get("answer").orElse(null) instanceof JsonString(var text)
                && !text.isBlank()
                && text.length() <= Question.LONGEST_ANSWER) {
            return text;
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_BODY,
                "Invalid answer",
                "answer must be a text of 1 to " + Question.LONGEST_ANSWER + " characters");
    }
}
