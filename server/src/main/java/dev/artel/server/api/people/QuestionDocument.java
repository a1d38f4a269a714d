package dev.artel.server.api.people;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.OpenQuestion;
import dev.artel.kernel.timer.Timer;
import dev.artel.server.api.http.ApiJson;

/// What workers want to know, and what they were answered.
public final class QuestionDocument {
    private QuestionDocument() {}

    /// One that waits for its answer.
    public static JsonObject open(Task task, OpenQuestion openQuestion) {
        var json =
                JsonObject.builder()
                        .put("question", openQuestion.number())
                        .put("status", "open")
                        .put("task", task.id())
                        .put("task_type", task.spec().type())
                        .put("text", openQuestion.question().text())
                        .put("asked_at", ApiJson.of(openQuestion.at()));
        if (!openQuestion.question().choices().isEmpty()) {
            json.put("choices", ApiJson.texts(openQuestion.question().choices()));
        }
        openQuestion
                .deadline()
                .map(Timer::at)
                .ifPresent(at -> json.put("expires_at", ApiJson.of(at)));
        if (task.state() instanceof Task.Open(Attempt.Parked parked, int _, var _)) {
            json.put("worker", parked.lease().worker().value());
        }
        return json.build();
    }

    /// All answers that a task has.
    public static JsonArray answers(Task task) {
        return new JsonArray(
                task.answers().stream().map(it -> (JsonValue) answered(task, it)).toList());
    }

    /// One that has its answer.
    static JsonObject answered(Task task, Answer answer) {
        var json =
                JsonObject.builder()
                        .put("question", answer.number())
                        .put("status", "answered")
                        .put("task", task.id())
                        .put("task_type", task.spec().type())
                        .put("text", answer.question().text());
        if (!answer.question().choices().isEmpty()) {
            json.put("choices", ApiJson.texts(answer.question().choices()));
        }
        return json.put("answer", answer.text())
                .put("by", answer.by())
                .put("at", ApiJson.of(answer.at()))
                .build();
    }

    /// A line of the account of an attempt.
    public static JsonObject asked(JobEvent.QuestionAsked event) {
        return JsonObject.builder()
                .put("text", event.question().text())
                .put("asked_at", ApiJson.of(event.at()))
                .build();
    }

    /// A question in one line, with its number, choices and deadline.
    public static String words(OpenQuestion openQuestion) {
        return openQuestion.number()
                + ": "
                + openQuestion.question().text()
                + (openQuestion.question().choices().isEmpty()
                        ? ""
                        : " " + openQuestion.question().choices())
                + openQuestion.deadline().map(timer -> ", until " + timer.at()).orElse("");
    }
}
