package dev.artel.testkit.engine;

import dev.artel.engine.shell.LocalEngine;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.WorkerPort;

/// An engine that runs, from both of its sides.
public interface TestedEngine extends AutoCloseable {
    /// The engine of one process.
    static TestedEngine of(LocalEngine engine) {
        return new Local(engine);
    }

    /// The side of clients.
    Engine engine();

    /// The side of workers.
    WorkerPort deliveries();

    /// Sends hand-outs and revocations to `listener` from now on.
    void listen(WorkerPort.Listener listener);

    /// Stops the engine; what it has acknowledged is kept for the next one.
    @Override
    void close();

    /// See [#of].
    record Local(LocalEngine engine) implements TestedEngine {
        @Override
        public WorkerPort deliveries() {
            return engine;
        }

        @Override
        public void listen(WorkerPort.Listener listener) {
            engine.addListener(listener);
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
