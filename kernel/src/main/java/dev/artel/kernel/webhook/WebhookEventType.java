package dev.artel.kernel.webhook;

import java.util.Optional;

/// What may become of a job that a subscriber wants to know.
public enum WebhookEventType {
    /// It has finished.
    FINISHED("job_finished"),
    /// It has failed.
    FAILED("job_failed"),
    /// It was cancelled.
    CANCELLED("job_cancelled"),
    /// It waits for a person because it is not well.
    QUARANTINED("job_quarantined"),
    /// It waits for a person to decide, to answer a question, or to set the outcome of a task.
    WAITING("job_waiting");

    private final String text;

    WebhookEventType(String text) {
        this.text = text;
    }

    /// Its name outside.
    public String text() {
        return text;
    }

    /// The one that is called `text` outside.
    public static Optional<WebhookEventType> of(String text) {
        for (var each : values()) {
            if (each.text.equals(text)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
