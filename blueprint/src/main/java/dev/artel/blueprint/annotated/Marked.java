package dev.artel.blueprint.annotated;

import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.On;
import dev.artel.blueprint.SignalCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.kernel.job.Outcomes;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// A method of a definition, and the values of its annotation.
///
/// @param on the states that follow outcomes
record Marked(Method method, StateHandler handler, Outcomes on) {
    /// What is wrong with the annotation is added to `problems`.
    static Marked of(Method method, List<String> problems) {
        var handler = method.getAnnotation(StateHandler.class);
        if (handler == null) {
            throw new IllegalArgumentException(method + " is not marked with @StateHandler");
        }
        var outcomes = Outcomes.NONE;
        for (var on : handler.on()) {
            if (outcomes.after(on.value()).isPresent()) {
                problems.add(
                        "handler "
                                + method.getName()
                                + " defines twice what follows '"
                                + on.value()
                                + "'");
            }
            outcomes = outcomes.and(on.value(), on.state());
        }
        var good = goodEnd(method.getReturnType());
        if (good.isPresent() && handler.leadsTo().length == 1) {
            if (outcomes.after(good.get()).isPresent()) {
                problems.add(
                        "handler "
                                + method.getName()
                                + " defines what follows '"
                                + good.get()
                                + "' in on and in leadsTo; keep one of them");
            }
            outcomes = outcomes.and(good.get(), handler.leadsTo()[0]);
        }
        return new Marked(method, handler, outcomes);
    }

    /// The word for the good end of what a handler of this type returns.
    private static Optional<String> goodEnd(Class<?> returned) {
        if (returned == TaskCall.class) {
            return Optional.of("success");
        }
        if (returned == ChildCall.class) {
            return Optional.of(Outcomes.FINISHED);
        }
        return returned == SignalCall.class ? Optional.of(Waits.RECEIVED) : Optional.empty();
    }

    /// The states to which it may lead.
    List<String> next() {
        var next = new LinkedHashSet<String>();
        Arrays.stream(handler.on()).map(On::state).forEach(next::add);
        next.addAll(List.of(handler.branches()));
        next.addAll(List.of(handler.leadsTo()));
        if (!handler.otherwise().isEmpty()) {
            next.add(handler.otherwise());
        }
        if (!handler.compensatedBy().isEmpty()) {
            next.add(handler.compensatedBy());
        }
        return List.copyOf(next);
    }

    /// Whether it returns a list of calls.
    boolean runsMany() {
        return method.getReturnType() == List.class;
    }

    /// The type of the result that the job's data keep under [StateHandler#resultAs]; empty if nothing is known of it.
    Optional<Type> result() {
        return Types.argument(method.getGenericReturnType());
    }

    @Override
    public String toString() {
        return "handler " + method.getName();
    }
}
