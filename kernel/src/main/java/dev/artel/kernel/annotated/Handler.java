package dev.artel.kernel.annotated;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Outcomes;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A method that handles a state.
final class Handler implements StepHandler {
    private final Object definition;
    private final Method method;
    private final StateHandler marked;
    private final List<Argument> arguments;
    private final Returned returned;
    private final Optional<List<String>> reads;

    private Handler(
            Object definition,
            Method method,
            StateHandler marked,
            List<Argument> arguments,
            Returned returned,
            Optional<List<String>> reads) {
        this.definition = definition;
        this.method = method;
        this.marked = marked;
        this.arguments = List.copyOf(arguments);
        this.returned = returned;
        this.reads = reads.map(List::copyOf);
    }

    /// The handler that `method` is; what is wrong with it is added to `problems`.
    static Handler of(Object definition, Method method, Names names, List<String> problems) {
        var marked = method.getAnnotation(StateHandler.class);
        if (marked == null) {
            throw new IllegalArgumentException(method + " is not marked with @StateHandler");
        }
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            problems.add(
                    "handler "
                            + method.getName()
                            + " is not open to dev.artel.kernel; open its package");
        }
        var arguments = new ArrayList<Argument>();
        for (var parameter : method.getParameters()) {
            names.argument(method, parameter).ifPresent(arguments::add);
        }
        var returned = Returned.of(method, marked, outcomes(method, marked, problems), problems);
        return new Handler(definition, method, marked, arguments, returned, names.readBy(method));
    }

    private static Outcomes outcomes(Method method, StateHandler marked, List<String> problems) {
        var outcomes = Outcomes.NONE;
        for (var on : marked.on()) {
            if (outcomes.after(on.value()).isPresent()) {
                problems.add(
                        "handler "
                                + method.getName()
                                + " says twice what follows '"
                                + on.value()
                                + "'");
            }
            outcomes = outcomes.and(on.value(), on.state());
        }
        return outcomes;
    }

    StateHandler marked() {
        return marked;
    }

    /// The states to which it may lead.
    List<String> next() {
        var next = new LinkedHashSet<String>();
        Arrays.stream(marked.on()).map(On::state).forEach(next::add);
        next.addAll(List.of(marked.leadsTo()));
        return List.copyOf(next);
    }

    @Override
    public Optional<List<String>> reads() {
        return reads;
    }

    @Override
    public Action handle(Step step) throws Exception {
        @Nullable Object[] values = new @Nullable Object[arguments.size()];
        for (var i = 0; i < values.length; i++) {
            values[i] = arguments.get(i).of(step);
        }
        try {
            return returned.action(method.invoke(definition, values));
        } catch (InvocationTargetException thrown) {
            switch (thrown.getCause()) {
                case Exception failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw thrown;
            }
        }
    }
}
