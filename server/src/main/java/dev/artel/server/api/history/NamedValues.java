package dev.artel.server.api.history;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import java.util.Optional;

/// Which large values a job names.
final class NamedValues {
    private NamedValues() {}

    /// The value of `digest`, if the events of a job, or its tasks, name it.
    static Optional<Payload.Ref> find(JobReading reading, String digest) {
        var found = new Payload.Ref[1];
        var seen =
                ApiJson.seeing(ref -> {
                    if (ref.digest().equals(digest)) {
                        found[0] = ref;
                    }
                });
        var events = new EventDocument(seen);
        reading.events(event -> {
            var _ = events.of(0, event);
        });
        var _ = seen.of(reading.job().spec().initialData());
        var _ = seen.of(reading.job().data());
        // the document of a fan-out has its first tasks only
        for (var task : reading.job().tasks()) {
            look(task, seen);
        }
        return Optional.ofNullable(found[0]);
    }

    private static void look(Task task, ApiJson seen) {
        TaskSpec spec = task.spec();
        var _ = seen.put(JsonObject.builder(), "params", spec.params());
        if (task.state() instanceof Task.Succeeded done) {
            var _ = seen.put(JsonObject.builder(), "result", done.data());
        }
    }
}
