package dev.artel.examples.agents;

import dev.artel.blueprint.TaskType;
import dev.artel.worker.Worker;
import dev.artel.worker.WorkerBuilder;
import java.net.URI;

/// An agent on MindBus that greets, four at once. It serves any orchestrator that keeps to the messages of the bus.
public final class GreetingAgent {
    static final TaskType<Guest, Greeting> GREET =
            TaskType.of("greet", Guest.class, Greeting.class);

    record Guest(String name) {}

    record Greeting(String text) {}

    private GreetingAgent() {}

    /// Works until the process ends. Argument: the broker, such as `amqp://guest:guest@localhost:5672/%2f`.
    public static void main(String[] args) throws InterruptedException {
        agent(URI.create(args[0])).run();
    }

    static WorkerBuilder agent(URI broker) {
        return Worker.named("agent.greeter.001")
                .orchestrator(broker, "")
                .maxConcurrentTasks(4)
                .handle(GREET, guest -> new Greeting("Good morning, " + guest.name()));
    }
}
