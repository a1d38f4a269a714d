package dev.artel.webhook;

import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Schedule;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.store.StoreException;
import dev.artel.log.ForeignText;
import dev.artel.log.LinesAMinute;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls receivers until they have heard or are given up. Safe for use by many threads.
///
/// Clients take turns, and the receivers of a client: see [Lanes]. One that is slow delays only what is for it, and what
/// its client has for others. A call that is not over within its limit has failed then; the thread that makes it, which
/// may still wait for the address of a name, takes up its slot until it is back. What became of the last deliveries is
/// remembered until the process ends.
final class Outbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int REMEMBERED = 2_000;
    private static final int GONE = 410;

    /// So many characters of an error are kept: receivers write what is in it.
    private static final int LONGEST_ERROR = 500;

    private volatile WebhookSettings settings;
    private volatile GuardedHttpClient post;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Lanes lanes;
    private final SequencedMap<String, WebhookDelivery> pending = new LinkedHashMap<>();
    private final Deque<WebhookDelivery> past = new ArrayDeque<>();
    private final Schedule later = new Schedule("artel-webhooks");
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder givenUp = new LongAdder();

    /// Clients choose how many calls fail.
    private final LinesAMinute linesOfGivenUp = new LinesAMinute(60);

    private final LinesAMinute linesOfBugs = new LinesAMinute(60);

    private final LongAdder noRoom = new LongAdder();
    private boolean closed;

    Outbox(WebhookSettings settings, GuardedHttpClient post, InstantSource clock) {
        this.settings = settings;
        this.post = post;
        this.clock = clock;
        lanes = new Lanes(settings.limits());
    }

    /// Has `other` hold from now on, with `calls`; calls that are being made end as they began.
    void use(WebhookSettings other, GuardedHttpClient calls) {
        lock.lock();
        try {
            if (closed) {
                calls.close();
                return;
            }
            var before = post;
            var longest = settings.retries().timeout().multipliedBy(2);
            settings = other;
            post = calls;
            lanes.limit(other.limits());
            var _ = later.once(longest, before::close);
            startWhatCan();
        } finally {
            lock.unlock();
        }
    }

    /// Takes `parcel`, unless one of its name is under way.
    ///
    /// @return false if there is no room for it
    boolean put(WebhookDelivery webhookDelivery) {
        lock.lock();
        try {
            if (closed || pending.containsKey(webhookDelivery.id)) {
                return true;
            }
            if (!lanes.hasRoom(webhookDelivery.place)) {
                noRoom.increment();
                return false;
            }
            lanes.add(webhookDelivery);
            pending.put(webhookDelivery.id, webhookDelivery);
            ready(webhookDelivery);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Whether a parcel would be taken at this moment that waits at `place`.
    boolean hasRoom(Lanes.Place place) {
        lock.lock();
        try {
            return lanes.hasRoom(place);
        } finally {
            lock.unlock();
        }
    }

    /// Remembers that there was no room for `parcel`, which nobody else remembers.
    void giveUp(WebhookDelivery webhookDelivery) {
        lock.lock();
        try {
            end(webhookDelivery, "given_up", Optional.of("too many calls wait at this moment"));
        } finally {
            lock.unlock();
        }
    }

    private void ready(WebhookDelivery webhookDelivery) {
        lanes.ready(webhookDelivery);
        startWhatCan();
    }

    private void startWhatCan() {
        for (var next = next(); next.isPresent(); next = next()) {
            var webhookDelivery = next.get();
            // A platform thread: to resolve a name occupies the thread that carries a virtual one.
            Thread.ofPlatform()
                    .daemon()
                    .name("artel-webhook")
                    .start(() -> attempt(webhookDelivery));
        }
    }

    private Optional<WebhookDelivery> next() {
        return closed ? Optional.empty() : lanes.next();
    }

    /// What an attempt leads to.
    private sealed interface Next {}

    private record Heard() implements Next {}

    private record Hopeless(String why) implements Next {
        Hopeless {
            why = shortened(why);
        }
    }

    private record Again(String why, Optional<Duration> wanted) implements Next {
        Again {
            why = shortened(why);
        }
    }

    private static String shortened(String error) {
        var shown = ForeignText.shown(error, LONGEST_ERROR);
        return shown.length() <= LONGEST_ERROR
                ? shown
                : ForeignText.shown(shown, LONGEST_ERROR - 10);
    }

    /// An attempt that is being made. Guarded by the lock.
    private static final class Trying {
        final WebhookDelivery webhookDelivery;
        final Instant at;
        final long began = System.nanoTime();
        boolean isOver;

        Trying(WebhookDelivery webhookDelivery, Instant at) {
            this.webhookDelivery = webhookDelivery;
            this.at = at;
        }
    }

    private record Tried(Next next, Optional<Integer> status) {}

    private void attempt(WebhookDelivery webhookDelivery) {
        var trying = new Trying(webhookDelivery, clock.instant());
        var limit = settings.retries().timeout();
        var end = endAfter(limit, trying);
        try {
            conclude(trying, tried(trying));
        } finally {
            end.cancel(false);
            lock.lock();
            try {
                lanes.freed(webhookDelivery.place);
                startWhatCan();
            } finally {
                lock.unlock();
            }
        }
    }

    private Future<?> endAfter(Duration limit, Trying trying) {
        var late =
                new Tried(
                        new Again("no answer within " + limit, Optional.empty()), Optional.empty());
        return later.once(limit, () -> conclude(trying, late));
    }

    /// What comes first counts: the end of the attempt, or that of its time.
    private void conclude(Trying trying, Tried tried) {
        var webhookDelivery = trying.webhookDelivery;
        var end = Optional.<Notifier.End>empty();
        lock.lock();
        try {
            if (trying.isOver) {
                return;
            }
            trying.isOver = true;
            var error =
                    switch (tried.next()) {
                        case Heard _ -> Optional.<String>empty();
                        case Hopeless(var why) -> Optional.of(why);
                        case Again(var why, var _) -> Optional.of(why);
                    };
            var millis = (System.nanoTime() - trying.began) / 1_000_000;
            webhookDelivery.tried(
                    new WebhookDelivery.Attempt(trying.at, tried.status(), millis, error));
            end = settle(webhookDelivery, tried.next());
        } finally {
            lock.unlock();
        }
        end.ifPresent(webhookDelivery.onReply);
    }

    private Optional<Notifier.End> settle(WebhookDelivery webhookDelivery, Next next) {
        return switch (next) {
            case Heard _ -> {
                delivered.increment();
                yield over(webhookDelivery, "delivered", Optional.empty());
            }
            case Hopeless(var why) -> over(webhookDelivery, "given_up", Optional.of(why));
            case Again(var why, var wanted) -> {
                failed.increment();
                var pause = pause(webhookDelivery.attempts, wanted);
                var retries = settings.retries();
                var at = clock.instant().plus(pause);
                if (webhookDelivery.attempts >= retries.attempts()) {
                    yield over(
                            webhookDelivery,
                            "given_up",
                            Optional.of(
                                    "tried "
                                            + webhookDelivery.attempts
                                            + " times, the last time: "
                                            + why));
                }
                if (at.isAfter(webhookDelivery.created.plus(retries.longest()))) {
                    yield over(
                            webhookDelivery,
                            "given_up",
                            Optional.of(
                                    "tried for " + retries.longest() + ", the last time: " + why));
                }
                webhookDelivery.next = Optional.of(at);
                again(webhookDelivery, pause);
                yield Optional.empty();
            }
        };
    }

    private void again(WebhookDelivery webhookDelivery, Duration pause) {
        // What is not delivered before the end is delivered after the next start.
        var _ =
                later.once(
                        pause,
                        () -> {
                            lock.lock();
                            try {
                                webhookDelivery.next = Optional.empty();
                                ready(webhookDelivery);
                            } finally {
                                lock.unlock();
                            }
                        });
    }

    private Optional<Notifier.End> over(
            WebhookDelivery webhookDelivery, String state, Optional<String> problem) {
        lanes.over(webhookDelivery.place);
        pending.remove(webhookDelivery.id);
        end(webhookDelivery, state, problem);
        return Optional.of(new Notifier.End(webhookDelivery.attempts, problem));
    }

    private void end(WebhookDelivery webhookDelivery, String state, Optional<String> problem) {
        webhookDelivery.state = state;
        webhookDelivery.problem = problem;
        past.addFirst(webhookDelivery);
        if (past.size() > REMEMBERED) {
            past.removeLast();
        }
        if (problem.isPresent()) {
            givenUp.increment();
            linesOfGivenUp.log(
                    LOG.atWarn()
                            .addKeyValue("event", webhookDelivery.id)
                            .addKeyValue("subscriber", webhookDelivery.subscriber)
                            .addKeyValue("host", ForeignText.shown(webhookDelivery.url.getHost()))
                            .addKeyValue(
                                    "reason",
                                    ForeignText.shown(problem.get(), ForeignText.MOST_OF_MESSAGE)),
                    "a webhook was given up");
        }
    }

    /// Three times as long as the last one, a fifth more or less; what the receiver asks for counts if it is longer.
    private Duration pause(int attempts, Optional<Duration> wanted) {
        var retries = settings.retries();
        double most = retries.longestPause().toMillis();
        double first = retries.firstPause().toMillis();
        var interval = Math.min(most, first * Math.pow(3, attempts - 1d));
        var varied = interval * ThreadLocalRandom.current().nextDouble(0.8, 1.2);
        double asked = wanted.map(Duration::toMillis).orElse(0L);
        return Duration.ofMillis((long) Math.min(most, Math.max(varied, asked)));
    }

    private Tried tried(Trying trying) {
        var webhookDelivery = trying.webhookDelivery;
        try {
            var sent = webhookDelivery.content.make();
            webhookDelivery.url = sent.to;
            var answer =
                    post.post(
                            webhookDelivery.place.owner(),
                            sent.to,
                            headers(webhookDelivery, sent, trying.at),
                            sent.body);
            return new Tried(judge(answer), Optional.of(answer.status()));
        } catch (WebhookDelivery.Gone gone) {
            return unanswered(new Hopeless(String.valueOf(gone.getMessage())));
        } catch (GuardedHttpClient.Failed failure) {
            var why = String.valueOf(failure.getMessage());
            return unanswered(
                    failure.isForbidden() ? new Hopeless(why) : new Again(why, Optional.empty()));
        } catch (StoreException unreadable) {
            return unanswered(
                    new Again("the job could not be read: " + unreadable, Optional.empty()));
        } catch (RuntimeException bug) {
            linesOfBugs.log(
                    LOG.atError().addKeyValue("event", webhookDelivery.id).setCause(bug),
                    "a webhook could not be called; retrying");
            return unanswered(new Again(bug.toString(), Optional.empty()));
        }
    }

    private static Tried unanswered(Next next) {
        return new Tried(next, Optional.empty());
    }

    private static Next judge(GuardedHttpClient.Answer answer) {
        var status = answer.status();
        if (status < 300) {
            return new Heard();
        }
        return status == GONE
                ? new Hopeless("it answered 410, which means that it is gone")
                : new Again("it answered " + status, answer.retryAfter());
    }

    private static SequencedMap<String, String> headers(
            WebhookDelivery webhookDelivery, WebhookDelivery.Sent sent, Instant at) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", "Artel");
        headers.put("webhook-id", webhookDelivery.id);
        headers.put("webhook-timestamp", Long.toString(at.getEpochSecond()));
        headers.put(
                "webhook-signature",
                sent.secrets.stream()
                        .map(secret ->
                                Signature.of(
                                        secret, webhookDelivery.id, at.getEpochSecond(), sent.body))
                        .collect(Collectors.joining(" ")));
        return headers;
    }

    boolean holds(String id) {
        lock.lock();
        try {
            return pending.containsKey(id);
        } finally {
            lock.unlock();
        }
    }

    /// Those that are remembered, the last ones first, at most `limit`, as `show` shows them.
    <T> List<T> list(
            Predicate<WebhookDelivery> wanted, int limit, Function<WebhookDelivery, T> show) {
        lock.lock();
        try {
            var found = new ArrayList<T>();
            for (var webhookDeliveries : List.of(pending.sequencedValues().reversed(), past)) {
                for (var webhookDelivery : webhookDeliveries) {
                    if (found.size() < limit && wanted.test(webhookDelivery)) {
                        found.add(show.apply(webhookDelivery));
                    }
                }
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    int pending() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    long delivered() {
        return delivered.sum();
    }

    long failed() {
        return failed.sum();
    }

    long givenUp() {
        return givenUp.sum();
    }

    long noRoom() {
        return noRoom.sum();
    }

    /// Calls nobody any more. What is under way is not waited for: it is sent again after the next start.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        later.close();
        post.close();
    }
}
