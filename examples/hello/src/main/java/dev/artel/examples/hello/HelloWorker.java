package dev.artel.examples.hello;

import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.util.Map;

/// Does tasks of type `greet`.
final class HelloWorker {
    private HelloWorker() {}

    record Greet(String name) {}

    record Greeting(String greeting) {}

    /// A worker for the orchestrator that `environment` names, see [Worker#fromEnvironment].
    static Worker of(Map<String, String> environment) {
        return Worker.fromEnvironment(environment)
                .handle("greet", Greet.class, (greet, _) -> Result.successOf(greeting(greet)))
                .build();
    }

    private static Greeting greeting(Greet greet) {
        return new Greeting("Hello, " + greet.name() + "!");
    }
}
