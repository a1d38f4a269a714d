package dev.artel.worker;

import dev.artel.json.JsonObject;
import dev.artel.json.bind.Binding;
import dev.artel.json.bind.Unfit;
import dev.artel.protocol.Skill;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A type of task with what does it.
///
/// @param category the category whose limit counts; null for none
record HandledType(String name, @Nullable String category, Act act) {
    /// A handler that binds the parameters itself, wherever they are.
    interface Act {
        Result perform(Params params, TaskContext task) throws Exception;
    }

    /// The parameters of a task.
    interface Params {
        JsonObject json() throws IOException, InterruptedException;

        Path file() throws IOException, InterruptedException;
    }

    static HandledType ofFile(String name, FileHandler handler) {
        return new HandledType(name, null, (params, task) -> handler.handle(params.file(), task));
    }

    static <P> HandledType of(
            String name, @Nullable String category, Class<P> params, Handler<P> handler) {
        var binding = Binding.of(params);
        return new HandledType(
                name,
                category,
                (given, task) -> handler.handle(params.cast(bound(binding, given.json())), task));
    }

    /// The Java value of a task's parameters.
    ///
    /// @throws InvalidInput if they do not fit
    static Object bound(Binding binding, JsonObject params) {
        try {
            return binding.bind(params, "params");
        } catch (Unfit wrong) {
            throw new InvalidInput(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    Skill skill() {
        return new Skill(name, category, null);
    }
}
