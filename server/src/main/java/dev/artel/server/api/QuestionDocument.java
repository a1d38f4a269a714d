package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.job.Alarm;
import dev.artel.kernel.job.Answer;
import dev.artel.kernel.job.Asked;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;

/// What workers want to know, and what they were answered.
final class QuestionDocument {
    private QuestionDocument() {}

    /// One that waits for its answer.
    static JsonObject open(Task task, Asked asked) {
        var json =
                JsonObject.builder()
                        .put("question", asked.number())
                        .put("status", "open")
                        .put("task", task.id())
                        .put("task_type", task.spec().type())
                        .put("text", asked.question().text())
                        .put("asked_at", Values.of(asked.at()));
        if (!asked.question().choices().isEmpty()) {
            json.put("choices", Values.texts(asked.question().choices()));
        }
        asked.deadline().map(Alarm::at).ifPresent(at -> json.put("expires_at", Values.of(at)));
        if (task.state() instanceof Task.Open(Delivery.Parked parked, int _, var _)) {
            json.put("worker", parked.lease().worker().value());
        }
        return json.build();
    }

    static JsonArray answers(Task task) {
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
            json.put("choices", Values.texts(answer.question().choices()));
        }
        return json.put("answer", answer.text())
                .put("by", answer.by())
                .put("at", Values.of(answer.at()))
                .build();
    }

    /// A line of the account of an attempt.
    static JsonObject asked(JobEvent.QuestionAsked event) {
        return JsonObject.builder()
                .put("text", event.question().text())
                .put("asked_at", Values.of(event.at()))
                .build();
    }

    static String words(Asked asked) {
        return asked.number()
                + ": "
                + asked.question().text()
                + (asked.question().choices().isEmpty() ? "" : " " + asked.question().choices())
                + asked.deadline().map(alarm -> ", until " + alarm.at()).orElse("");
    }
}
