package dev.artel.examples.hello;

import static dev.artel.examples.hello.HelloBlueprint.GREET;

import dev.artel.examples.hello.HelloBlueprint.Greeting;
import dev.artel.worker.Worker;
import java.util.Map;

/// Does tasks of type `greet`.
final class HelloWorker {
    private HelloWorker() {}

    /// A worker for the orchestrator that `environment` names, see [Worker#fromEnvironment].
    static Worker of(Map<String, String> environment) {
        return Worker.fromEnvironment(environment)
                .handle(GREET, greet -> new Greeting("Hello, " + greet.name() + "!"))
                .build();
    }
}
