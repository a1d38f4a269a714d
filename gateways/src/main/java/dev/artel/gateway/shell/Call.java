package dev.artel.gateway.shell;

import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A request whose sender waits for the answer, and does its waiting calls itself.
final class Call implements Pending {
    private sealed interface Instruction {
        record Answer(SessionReply reply) implements Instruction {}

        record Make(Runnable call) implements Instruction {}
    }

    /// There will be no answer any more.
    static final SessionReply ENDED =
            new SessionReply.TryLater(
                    Duration.ofSeconds(1), "the orchestrator shuts down; try again later");

    private final LinkedBlockingQueue<Instruction> instructions = new LinkedBlockingQueue<>();

    /// Whether the sender waits no more; what is to be made then is made on other threads.
    private boolean isOver;

    /// There was no answer in time.
    static SessionReply none(Duration longest) {
        return new SessionReply.TryLater(
                Duration.ofSeconds(1),
                "no answer within " + longest + "; the same may be sent again");
    }

    @Override
    public void reply(SessionReply reply) {
        instructions.add(new Instruction.Answer(reply));
    }

    @Override
    public void make(Runnable call) {
        synchronized (this) {
            if (!isOver) {
                instructions.add(new Instruction.Make(call));
                return;
            }
        }
        start(call);
    }

    private static void start(Runnable call) {
        Thread.ofVirtual().name("artel-session-call").start(call);
    }

    /// What was not begun is made all the same: the session waits for what comes of it.
    private void leave() {
        synchronized (this) {
            isOver = true;
        }
        for (var next = instructions.poll(); next != null; next = instructions.poll()) {
            if (next instanceof Instruction.Make(var call)) {
                start(call);
            }
        }
    }

    @Override
    public void end() {
        reply(ENDED);
    }

    /// Waits for the answer and makes the calls that it takes: those of one request together, each on a thread of
    /// its own, so that reports become durable together.
    SessionReply await(Duration longest) throws InterruptedException {
        try {
            return answer(longest);
        } finally {
            leave();
        }
    }

    private SessionReply answer(Duration longest) throws InterruptedException {
        var deadline = System.nanoTime() + longest.toNanos();
        while (true) {
            var next = instructions.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            switch (next) {
                case null -> {
                    return none(longest);
                }
                case Instruction.Answer(var reply) -> {
                    return reply;
                }
                case Instruction.Make(var call) -> makeAll(call);
            }
        }
    }

    private void makeAll(Runnable first) {
        while (instructions.peek() instanceof Instruction.Make(var other)) {
            instructions.remove();
            start(other);
        }
        first.run();
    }
}
