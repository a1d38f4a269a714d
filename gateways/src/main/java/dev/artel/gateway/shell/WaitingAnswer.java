package dev.artel.gateway.shell;

import dev.artel.session.SessionReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// A request whose sender does not wait for the answer on a thread.
///
/// @param answer completed once, by a thread that must not be kept
/// @param threads make the calls that wait
/// @param since when it was sent, by [System#nanoTime]
record WaitingAnswer(CompletableFuture<SessionReply> answer, Executor threads, long since)
        implements Pending {
    @Override
    public void reply(SessionReply reply) {
        answer.complete(reply);
    }

    @Override
    public void make(Runnable call) {
        threads.execute(call);
    }

    @Override
    public void end() {
        reply(Call.ENDED);
    }
}
