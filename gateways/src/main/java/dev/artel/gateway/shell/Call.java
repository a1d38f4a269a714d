package dev.artel.gateway.shell;

import dev.artel.session.SessionOutput.Report;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A request whose sender waits for the answer, and does its waiting calls itself.
final class Call implements Pending {
    private sealed interface Instruction {
        record Answer(SessionReply reply) implements Instruction {}

        record Perform(Report report) implements Instruction {}
    }

    private final LinkedBlockingQueue<Instruction> instructions = new LinkedBlockingQueue<>();

    @Override
    public void reply(SessionReply reply) {
        instructions.add(new Instruction.Answer(reply));
    }

    @Override
    public void report(Report report) {
        instructions.add(new Instruction.Perform(report));
    }

    @Override
    public void end() {
        reply(
                new SessionReply.TryLater(
                        Duration.ofSeconds(1), "the orchestrator shuts down; try again later"));
    }

    /// Waits for the answer and makes the reports that it takes: those of one request together, each on a thread of
    /// its own, so that they become durable together.
    ///
    /// @param perform makes a report and tells the conversation how it went
    SessionReply await(Consumer<Report> perform, Duration longest) throws InterruptedException {
        var deadline = System.nanoTime() + longest.toNanos();
        while (true) {
            var next = instructions.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            switch (next) {
                case null -> {
                    return new SessionReply.TryLater(
                            Duration.ofSeconds(1),
                            "no answer within " + longest + "; the same may be sent again");
                }
                case Instruction.Answer(var reply) -> {
                    return reply;
                }
                case Instruction.Perform(var report) -> performAll(report, perform);
            }
        }
    }

    private void performAll(Report first, Consumer<Report> perform) {
        List<Report> others = new ArrayList<>();
        while (instructions.peek() instanceof Instruction.Perform(var report)) {
            others.add(report);
            instructions.remove();
        }
        for (var report : others) {
            Thread.startVirtualThread(() -> perform.accept(report));
        }
        perform.accept(first);
    }
}
