package dev.artel.blueprint.annotated;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;

/// How the annotations of the handlers of a state limit their runs.
final class HandlerLimits {
    private record Declared(int attempts, String handlerTime) {}

    private HandlerLimits() {}

    /// Adds them to the state that was added last.
    static void add(
            Blueprint.Builder blueprint,
            String state,
            List<HandlerMethod> handlers,
            List<String> problems) {
        var all =
                handlers.stream()
                        .map(HandlerMethod::marked)
                        .map(marked -> new Declared(marked.attempts(), marked.handlerTime()))
                        .distinct()
                        .toList();
        if (all.size() > 1) {
            problems.add(
                    "state '"
                            + state
                            + "' has handlers with several attempts or times; set the same with each"
                            + " of them");
            return;
        }
        var declared = all.getFirst();
        if (declared.attempts() < 0) {
            problems.add(
                    "state '"
                            + state
                            + "': attempts must be at least 1, was "
                            + declared.attempts());
        } else if (declared.attempts() > 0) {
            blueprint.retry(RetryPolicy.DEFAULTS.withMaxAttempts(declared.attempts()));
        }
        if (!declared.handlerTime().isEmpty()) {
            try {
                blueprint.handlerTime(Duration.parse(declared.handlerTime()));
            } catch (DateTimeParseException noTime) {
                problems.add(
                        "state '"
                                + state
                                + "': handlerTime must be a duration such as PT30S, was '"
                                + declared.handlerTime()
                                + "'");
            }
        }
    }
}
