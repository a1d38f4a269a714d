package dev.artel.gateway.zeromq;

import dev.artel.session.SessionReply;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Goes on when the conversation has answered.
final class Replies {
    private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

    private Replies() {}

    /// Calls `next` with the answer; an error of it is logged.
    static void then(
            CompletableFuture<SessionReply> answer, PeerName peer, Consumer<SessionReply> next) {
        then(answer, peer, next, () -> {});
    }

    /// Calls `next` with the answer; after an error of it `failed`.
    static void then(
            CompletableFuture<SessionReply> answer,
            PeerName peer,
            Consumer<SessionReply> next,
            Runnable failed) {
        var _ =
                answer.thenAccept(next)
                        .exceptionally(bug -> {
                            failed.run();
                            LOG.atError()
                                    .addKeyValue("worker", peer)
                                    .setCause(bug)
                                    .log("a message of a worker on ZeroMQ could not be answered");
                            return null;
                        });
    }
}
