package dev.artel.gateway.shell;

import dev.artel.session.SessionReply;
import java.util.concurrent.CompletableFuture;

/// A poll that waits without a thread.
///
/// @param request its number
/// @param answer completed once, by a thread that must not be kept
public record WaitingPoll(long request, CompletableFuture<SessionReply> answer) implements Pending {
    @Override
    public void reply(SessionReply reply) {
        answer.complete(reply);
    }

    @Override
    public void end() {
        answer.complete(new SessionReply.NoTask());
    }

    @Override
    public void make(Runnable call) {
        throw new IllegalStateException("poll " + request + " was asked to make a call");
    }
}
