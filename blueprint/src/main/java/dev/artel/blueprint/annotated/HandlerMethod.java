package dev.artel.blueprint.annotated;

import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.StateHandler;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A method that handles a state.
final class HandlerMethod implements StepHandler {
    private final Object definition;
    private final Marked marked;
    private final List<Argument> arguments;
    private final Returned returned;
    private final Optional<List<String>> reads;

    private HandlerMethod(
            Object definition,
            Marked marked,
            List<Argument> arguments,
            Returned returned,
            Optional<List<String>> reads) {
        this.definition = definition;
        this.marked = marked;
        this.arguments = List.copyOf(arguments);
        this.returned = returned;
        this.reads = reads.map(List::copyOf);
    }

    /// The handler that a method is; what is wrong with it is added to `problems`.
    static HandlerMethod of(
            Object definition, Marked marked, ParameterNames names, List<String> problems) {
        var method = marked.method();
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            problems.add(marked + " is not open to dev.artel.blueprint; open its package");
        }
        var arguments = new ArrayList<Argument>();
        for (var parameter : method.getParameters()) {
            names.argument(method, parameter).ifPresent(arguments::add);
        }
        var returned = Returned.of(marked, problems);
        return new HandlerMethod(definition, marked, arguments, returned, names.readBy(method));
    }

    StateHandler marked() {
        return marked.handler();
    }

    /// The type of what it returns.
    Class<?> returns() {
        return marked.method().getReturnType();
    }

    /// The states to which it may lead.
    List<String> next() {
        return marked.next();
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
            return returned.action(marked.method().invoke(definition, values));
        } catch (InvocationTargetException thrown) {
            return switch (thrown.getCause()) {
                case RunFailed failed -> Action.fail(String.valueOf(failed.getMessage()));
                case Exception failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw thrown;
            };
        }
    }
}
