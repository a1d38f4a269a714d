package dev.artel.webhook;

import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A call to one receiver, with what became of it so far. Its state is that of [Outbox] and guarded by
/// its lock.
final class WebhookDelivery {
    /// Of so many attempts more is known than that they were made.
    private static final int REMEMBERED = 20;

    final String id;
    final String subscriber;
    final Optional<JobId> job;
    final Optional<EffectId> call;
    final String event;

    /// Where it was called last, or is called first.
    volatile URI url;

    final Lanes.Place place;
    final Instant created;
    final Content content;
    final Consumer<Notifier.Reply> onReply;

    int attempts;
    String state = "pending";
    Optional<String> problem = Optional.empty();
    Optional<Instant> next = Optional.empty();
    private final Deque<Attempt> tries = new ArrayDeque<>();

    /// What is sent, made anew for each attempt.
    @FunctionalInterface
    interface Content {
        /// The current message.
        ///
        /// @throws Gone if there is no message any more
        Sent make();
    }

    /// What is sent.
    static final class Sent {
        final URI to;
        final List<String> secrets;
        final byte[] body;

        /// @param secrets each signs it
        Sent(URI to, List<String> secrets, byte[] body) {
            this.to = to;
            this.secrets = List.copyOf(secrets);
            this.body = body;
        }
    }

    /// There is no message any more.
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;

        Gone(String why) {
            super(why);
        }
    }

    /// @param status of the answer, if there was one
    record Attempt(Instant at, Optional<Integer> status, long millis, Optional<String> error) {}

    WebhookDelivery(
            String id,
            String subscriber,
            Optional<JobId> job,
            Optional<EffectId> call,
            String event,
            URI url,
            String owner,
            Instant created,
            Content content,
            Consumer<Notifier.Reply> onReply) {
        this.id = id;
        this.subscriber = subscriber;
        this.job = job;
        this.call = call;
        this.event = event;
        this.url = url;
        this.place = place(owner, url);
        this.created = created;
        this.content = content;
        this.onReply = onReply;
    }

    void tried(Attempt attempt) {
        attempts++;
        tries.add(attempt);
        if (tries.size() > REMEMBERED) {
            tries.remove();
        }
    }

    List<Attempt> tries() {
        return List.copyOf(tries);
    }

    /// Where calls of `owner` to `url` wait for their turns.
    static Lanes.Place place(String owner, URI url) {
        return new Lanes.Place(owner, url.getHost() + ":" + url.getPort());
    }
}
