package dev.artel.testkit.transport;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A wire between workers and an orchestrator whose engine is a [ReferenceEngine], as a test drives it.
public interface WorkerWire extends AutoCloseable {
    /// The engine behind the wire.
    ReferenceEngine engine();

    /// A worker's end of the wire. Nothing is sent yet.
    Peer peer(String workerId);

    /// Lets time pass for everybody.
    void advance(Duration time);

    /// Starts the orchestrator anew: it knows the registrations of workers, and the engine keeps its leases.
    void restart();

    /// What workers have reported about tasks that they hold: who it was, and how far it is with which words, or the
    /// level and text of a line of its log.
    List<String> heard();

    @Override
    void close();

    /// A worker as the wire sees it: what it sends, and what it is answered.
    interface Peer {
        /// Introduces itself.
        WireAnswer register(JsonValue registration);

        /// Sends a heartbeat.
        ///
        /// @param heartbeat null if nothing has changed
        WireAnswer heartbeat(@Nullable JsonValue heartbeat);

        /// Waits for tasks. Returns when the orchestrator has understood that.
        ///
        /// @param max 0 to be given a single task
        Poll poll(int max);

        /// Waits for a task and names what it has room for. Returns when the orchestrator has understood that.
        ///
        /// @param available the task types that it takes now
        /// @param hot those of them that it could begin at once
        /// @param timeout how long it waits for the answer
        Poll poll(List<String> available, List<String> hot, Duration timeout);

        /// Reports an event of its own.
        WireAnswer event(JsonValue event);

        /// Reports a result.
        WireAnswer result(JsonValue result);

        /// Reports several results.
        WireAnswer results(JsonValue batch);

        /// Renews leases.
        WireAnswer renew(JsonValue renewal);

        /// Asks something before it goes on with a task.
        WireAnswer ask(String task, JsonValue question);

        /// Gives tasks back.
        WireAnswer release(JsonValue release);

        /// Wants no more work.
        WireAnswer drain();

        /// Leaves.
        WireAnswer disconnect();
    }

    /// A poll that waits.
    interface Poll {
        /// Waits for the answer, at most a few minutes of real time.
        WireAnswer answer();

        /// Whether there is an answer already.
        boolean isAnswered();

        /// Breaks the connection without a word.
        void hangUp();
    }

    /// A wire that carries bytes, so that what is sent may be anything.
    interface OfBytes extends WorkerWire {
        /// How many bytes a message may have.
        int largestMessage();

        /// Sends bytes in place of a result of `workerId`.
        WireAnswer resultOf(String workerId, byte[] bytes);

        /// A poll of a worker that reads nothing of what it is answered.
        Poll pollWithoutReading(String workerId);

        /// After how much time a task that went into an answer which was not read is given to another worker, once the connection has ended: none where the
        /// orchestrator sees what was not read, or else the lease.
        default Duration comesBackWithin() {
            return Duration.ZERO;
        }
    }

    /// A registration as workers of the first generation send it.
    static JsonObject registration(String workerId, int capacity, String... tasks) {
        return WorkerBodies.registration(workerId, capacity, tasks);
    }
}
