package dev.artel.webhook;

import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;

/// A call to one receiver, with what became of it so far. Its state is that of [Outbox] and guarded by
/// its lock.
final class WebhookDelivery {
    /// Of so many attempts more is known than that they were made.
    private static final int REMEMBERED = 20;

    /// So many errors are remembered word for word: receivers write what is in them, and very many calls may wait for days.
    private static final int TEXTS = 3;

    private static final String LEFT_OUT = "an error before those of later attempts";

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

    /// The errors of the last attempts, each once.
    private final SequencedSet<String> texts = new LinkedHashSet<>();

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
    record Attempt(Instant at, Optional<Integer> status, long millis, Optional<String> error) {
        private Attempt withError(String other) {
            return new Attempt(at, status, millis, Optional.of(other));
        }
    }

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
        tries.add(
                attempt.error().map(error -> attempt.withError(remembered(error))).orElse(attempt));
        if (tries.size() > REMEMBERED) {
            tries.remove();
        }
    }

    /// The same text for all attempts that ended with it. One that comes anew has that of the longest ago forgotten.
    private String remembered(String error) {
        for (var text : texts) {
            if (text.equals(error)) {
                texts.remove(text);
                texts.add(text);
                return text;
            }
        }
        texts.add(error);
        if (texts.size() > TEXTS) {
            var forgotten = texts.removeFirst();
            var before = List.copyOf(tries);
            tries.clear();
            before.forEach(one ->
                    tries.add(
                            one.error().equals(Optional.of(forgotten))
                                    ? one.withError(LEFT_OUT)
                                    : one));
        }
        return error;
    }

    List<Attempt> tries() {
        return List.copyOf(tries);
    }

    /// Where calls of `owner` to `url` wait for their turns.
    static Lanes.Place place(String owner, URI url) {
        return new Lanes.Place(owner, url.getHost() + ":" + url.getPort());
    }
}
