package dev.artel.redis;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobEvents;
import dev.artel.client.JobRef;
import dev.artel.client.JobSubmission;
import dev.artel.client.JobView;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import dev.artel.log.ForeignText;
import dev.artel.log.LinesAMinute;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ScanParams;

/// Runs a job for each task that a submitter sets in Redis, and writes its result under the key of the task.
///
/// A submitter sets a JSON object under a key of its own and publishes the key. The key is the idempotency key of the job, and the value is
/// changed only by comparing it with what was read: whatever is killed, a task has one job, and a result is not written over. A task
/// that was set while nobody listened is found by looking through the keys, at the start and from time to time. Without Redis or the
/// orchestrator it tries again, for as long as it is open. Safe for use by many threads.
public final class RedisTasks implements AutoCloseable {
    /// Keys of tasks have at most so many characters.
    public static final int LONGEST_KEY = 180;

    private static final Logger LOG = LoggerFactory.getLogger(RedisTasks.class);
    private static final String IDEMPOTENCY = "redis:";
    private static final String LABEL = "redis_task";
    private static final int HANDLERS = 8;
    private static final int ANNOUNCED = 10_000;
    private static final int MOST_RUNNING = 100_000;
    private static final int SCANNED_AT_ONCE = 1_000;
    private static final int CHANGES = 5;
    private static final int LONGEST_REASON = 2_000;

    /// Of a value: what its task becomes as a request has to fit into the memory of several at once.
    private static final int MOST_BYTES = 4 << 20;

    /// Values up to this size are taken side by side; larger ones, which take twenty times their size while they are, one by one and apart.
    private static final int SMALL = 64 << 10;

    /// What is looked at while a job goes on: values of jobs may be large.
    private static final List<String> STATE =
            List.of("id", "status", "blueprint_name", "labels", "error_message");

    private static final List<String> RESULT = List.of("id", "result");
    private static final int PATROLLED = 200;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// Sets `KEYS[1]` to `ARGV[2]` if it is `ARGV[1]`; for `ARGV[3]` seconds, or as long as it has if that is 0.
    private static final String REPLACE =
            """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            if ARGV[3] == '0' then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
            else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
            return 1
            """;

    /// Keys from the cursor `ARGV[1]` on, without those of more than `ARGV[4]` bytes: what their names take is for submitters to choose.
    private static final String SCAN =
            """
            local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3], 'TYPE', 'string')
            local keys = {}
            for _, key in ipairs(page[2]) do
              if #key <= tonumber(ARGV[4]) then keys[#keys + 1] = key end
            end
            return {page[1], keys}
            """;

    private static final byte[] NONE = {};
    private static final int MOST_KEY_BYTES = 4 * LONGEST_KEY;

    private final RedisTaskSettings settings;
    private final ArtelClient client;
    private final RedisClient redis;

    /// Keys of tasks to look at.
    private final WaitingKeys keys = new WaitingKeys(ANNOUNCED);

    /// Those among them whose values are large.
    private final WaitingKeys large = new WaitingKeys(ANNOUNCED);

    /// For the thread that takes large values.
    private final RestingValues resting = new RestingValues();

    /// The keys of tasks, by their jobs.
    private final Map<String, String> running = new ConcurrentHashMap<>();

    /// Jobs of tasks that are to be looked at, in case their end was not heard.
    private final Deque<String> patrol = new ArrayDeque<>();

    /// About values and keys that are left alone.
    private final LinesAMinute strange = new LinesAMinute(10);

    /// About tasks that are refused.
    private final LinesAMinute refusals = new LinesAMinute(60);

    /// About values and jobs whose handling failed.
    private final LinesAMinute failures = new LinesAMinute(10);

    /// Held while a large value is taken or changed.
    private final ReentrantLock oneLarge = new ReentrantLock();

    /// Held while a result is read and written: each may be large.
    private final ReentrantLock oneResult = new ReentrantLock();

    private final AtomicBoolean isScanWanted = new AtomicBoolean(true);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicReference<@Nullable JobEvents> following = new AtomicReference<>();
    private final JedisPubSub announcements =
            new JedisPubSub() {
                @Override
                public void onSubscribe(String channel, int channels) {
                    // What was announced before was not heard.
                    isScanWanted.set(true);
                }

                @Override
                public void onMessage(String channel, String key) {
                    announced(key);
                }
            };

    private RedisTasks(RedisTaskSettings settings, ArtelClient client) {
        this.settings = settings;
        this.client = client;
        redis = RedisClient.create(settings.uri());
    }

    /// Begins to take tasks. Returns at once, whether or not Redis and the orchestrator can be reached.
    ///
    /// @param client of an orchestrator that has [RedisTaskBlueprint]; stays open when this is closed
    public static RedisTasks start(RedisTaskSettings settings, ArtelClient client) {
        var tasks = new RedisTasks(settings, client);
        tasks.loop("listen", tasks::listen);
        tasks.loop("scan", tasks::scan);
        tasks.loop("follow", tasks::follow);
        for (var i = 0; i < HANDLERS; i++) {
            tasks.loop("take-" + i, () -> tasks.takeNext(tasks.keys, tasks::takeValue));
        }
        tasks.loop("take-large", () -> tasks.takeNext(tasks.large, tasks::takeLarge));
        return tasks;
    }

    private interface Turn {
        void take() throws InterruptedException;
    }

    /// Repeats `turn` until this is closed; a failure is logged and followed by a pause.
    private void loop(String name, Turn turn) {
        Thread.ofPlatform()
                .daemon()
                .name("artel-redis-" + name)
                .start(() -> {
                    try {
                        while (!isClosing()) {
                            turn(name, turn);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private void turn(String name, Turn turn) throws InterruptedException {
        try {
            turn.take();
        } catch (JedisException | ClientException failed) {
            if (!isClosing()) {
                LOG.atWarn()
                        .addKeyValue("at", name)
                        .log("tasks in Redis wait, tried again soon: {}", failed.getMessage());
                isScanWanted.set(true);
                pause(PAUSE);
            }
        } catch (RuntimeException failed) {
            failures.log(
                    LOG.atError().addKeyValue("at", name).setCause(failed),
                    "tasks in Redis: a step failed");
            isScanWanted.set(true);
            pause(PAUSE);
        }
    }

    /// Whether it is a matter of all tasks: Redis or the orchestrator is away, or lets this client do nothing. What else fails concerns one value.
    private static boolean concernsAll(RuntimeException failed) {
        return switch (failed) {
            case ClientException.TryLater _,
                    ClientException.Unreachable _,
                    ClientException.Unauthorized _ ->
                    true;
            case JedisAccessControlException _ -> false; // there may be keys that it is to leave
            case JedisDataException refused ->
                    !String.valueOf(refused.getMessage()).contains("WRONGTYPE");
            case JedisException _ -> true;
            default -> false;
        };
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void pause(Duration time) throws InterruptedException {
        var _ = closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Returns when the connection breaks.
    private void listen() {
        redis.subscribe(announcements, settings.channel());
    }

    private void announced(String key) {
        if (key.length() > LONGEST_KEY) {
            leftAlone(
                    key.substring(0, LONGEST_KEY) + "...",
                    "a key with more than " + LONGEST_KEY + " characters was announced in Redis");
        } else if (!keys.offer(key)) {
            // The next look through the keys finds it.
            isScanWanted.set(true);
        }
    }

    private void scan() throws InterruptedException {
        var next = System.nanoTime() + settings.scan().toNanos();
        if (isScanWanted.getAndSet(false)) {
            lookThroughKeys();
            patrol();
        }
        while (!isClosing() && !isScanWanted.get() && System.nanoTime() - next < 0) {
            pause(Duration.ofMillis(100));
        }
        isScanWanted.set(true);
    }

    /// Looks at some of the jobs, and at others the next time.
    private void patrol() {
        if (patrol.isEmpty()) {
            patrol.addAll(running.keySet());
        }
        for (var i = 0; i < PATROLLED && !patrol.isEmpty() && !isClosing(); i++) {
            var job = patrol.remove();
            if (running.containsKey(job)) {
                look(job);
            }
        }
    }

    private void lookThroughKeys() throws InterruptedException {
        var known = new HashSet<>(running.values());
        var cursor = ScanParams.SCAN_POINTER_START;
        do {
            var page =
                    (List<?>)
                            redis.eval(
                                    SCAN,
                                    List.of(),
                                    List.of(
                                            cursor,
                                            settings.match(),
                                            Integer.toString(SCANNED_AT_ONCE),
                                            Integer.toString(MOST_KEY_BYTES)));
            for (var key : (List<?>) page.get(1)) {
                if (key instanceof String text
                        && text.length() <= LONGEST_KEY
                        && !known.contains(text)) {
                    awaitRoom(text);
                }
            }
            cursor = (String) page.get(0);
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START) && !isClosing());
    }

    private void awaitRoom(String key) throws InterruptedException {
        while (!keys.offer(key, PAUSE) && !isClosing()) {
            // The takers are busy, or rest.
        }
    }

    private void takeNext(WaitingKeys among, Consumer<String> taking) throws InterruptedException {
        var key = among.take(PAUSE);
        if (key.isEmpty()) {
            return;
        }
        try {
            take(key.get(), taking);
        } finally {
            among.done(key.get());
        }
    }

    /// A value that cannot be handled rests until it is announced or found again, and keeps no other waiting.
    private void take(String key, Consumer<String> taking) {
        try {
            taking.accept(key);
        } catch (RuntimeException failed) {
            if (concernsAll(failed)) {
                throw failed;
            }
            failures.log(
                    LOG.atWarn().addKeyValue("key", ForeignText.shown(key)).setCause(failed),
                    "a task in Redis cannot be handled; others go on");
        }
    }

    private void takeValue(String key) {
        var value = value(key, SMALL);
        if (value.isEmpty()) {
            return;
        }
        if (value.get().length <= SMALL) {
            var _ = isTaken(key, value.get());
        } else {
            // If there is no room for it, a later look through the keys finds it.
            var _ = large.offer(key);
        }
    }

    private void takeLarge(String key) {
        if (length(key) > MOST_BYTES) {
            tooLarge(key);
            return;
        }
        oneLarge.lock();
        try {
            var value = value(key, MOST_BYTES).orElse(NONE);
            if (value.length <= MOST_BYTES
                    && !resting.contain(key, value)
                    && !isTaken(key, value)) {
                resting.add(key, value);
            }
        } finally {
            oneLarge.unlock();
        }
    }

    /// Does what there is to do with a value.
    ///
    /// @return whether there was anything
    private boolean isTaken(String key, byte[] value) {
        var task = RedisTask.read(key, value);
        if (task.isEmpty()) {
            return false;
        }
        switch (task.get().status().orElse(null)) {
            case QUEUED -> submit(task.get());
            case RUNNING -> takeUp(task.get());
            case COMPLETED, FAILED -> {
                return false; // it is over
            }
            case null -> {
                leftAlone(key, "a task in Redis has an unknown status");
                return false;
            }
        }
        return true;
    }

    /// Of the value under `key` the beginning: up to `most` bytes, and one more if it has more. Empty if it is a list or the like, which is
    /// no task.
    private Optional<byte[]> value(String key, int most) {
        return ofString(() -> redis.getrange(key.getBytes(StandardCharsets.UTF_8), 0, most));
    }

    /// How many bytes the value under `key` has; 0 if it is a list or the like, or there is none.
    private long length(String key) {
        return ofString(() -> redis.strlen(key)).orElse(0L);
    }

    private static <T> Optional<T> ofString(Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (JedisDataException refused) {
            if (concernsAll(refused) || refused instanceof JedisAccessControlException) {
                throw refused;
            }
            return Optional.empty();
        }
    }

    /// It may be something else than a task, so that it stays as it is.
    private void tooLarge(String key) {
        leftAlone(
                key,
                "a value in Redis has more than " + MOST_BYTES + " bytes, the most for a task");
    }

    private void leftAlone(String key, String what) {
        strange.log(
                LOG.atWarn().addKeyValue("key", ForeignText.shown(key)).addKeyValue("found", what),
                "what is in Redis under a key is no task; it is left alone");
    }

    private void submit(RedisTask task) {
        if (running.size() >= MOST_RUNNING) {
            return; // it is found again when others are done
        }
        JobRef job;
        try {
            var problem = task.problem(settings.rights());
            if (problem.isPresent()) {
                fail(task, "SerializationError", problem.get());
                return;
            }
            job =
                    client.submit(
                            JobSubmission.of(task.blueprint(), task.input())
                                    .withIdempotencyKey(IDEMPOTENCY + task.id())
                                    .withPriority(task.priority())
                                    .withLabel(LABEL, task.id()));
        } catch (ClientException.Invalid | ClientException.NotFound | ClientException.Conflict no) {
            fail(task, "SerializationError", String.valueOf(no.getMessage()));
            return;
        } catch (ClientException.TryLater
                | ClientException.Unreachable
                | ClientException.Unauthorized notNow) {
            throw notNow; // it is no matter of the task
        } catch (ClientException.Failed failed) {
            fail(task, "UnexpectedError", String.valueOf(failed.getMessage()));
            return;
        } catch (RuntimeException unsuitable) {
            // It would be unsuitable at each further look, and keep others waiting each time.
            fail(task, "SerializationError", "it cannot be submitted: " + unsuitable);
            return;
        }
        // If the value has changed meanwhile, the next look finds what it is now: its key gives the
        // same job.
        if (replace(task, task.running(job.id()), Optional.empty())) {
            watch(job.id(), task.id());
        }
    }

    private void fail(RedisTask task, String type, String reason) {
        var words = beginning(reason);
        refusals.log(
                LOG.atInfo()
                        .addKeyValue("key", ForeignText.shown(task.id()))
                        .addKeyValue(
                                "reason", ForeignText.shown(words, ForeignText.MOST_OF_MESSAGE)),
                "a task in Redis is refused");
        var _ = replace(task, task.failed(type, words), settings.keep());
    }

    /// Half a character cannot be written.
    private static String beginning(String reason) {
        if (reason.length() <= LONGEST_REASON) {
            return reason;
        }
        var isWhole = !Character.isHighSurrogate(reason.charAt(LONGEST_REASON - 1));
        return reason.substring(0, isWhole ? LONGEST_REASON : LONGEST_REASON - 1);
    }

    private boolean replace(RedisTask task, JsonObject value, Optional<Duration> keep) {
        var seconds = keep.map(time -> Math.max(1, time.toSeconds())).orElse(0L);
        var replaced =
                redis.eval(
                        REPLACE,
                        List.of(task.id()),
                        List.of(
                                task.text(),
                                new String(JsonText.write(value), StandardCharsets.UTF_8),
                                Long.toString(seconds)));
        return Long.valueOf(1).equals(replaced);
    }

    /// Goes on with a task that says that it has a job: with one of this client that was submitted for that key, and no other, since
    /// who writes to Redis may name any job, and is to learn nothing of it.
    private void takeUp(RedisTask task) {
        var job = task.job().filter(id -> !id.isBlank());
        if (job.isEmpty()) {
            fail(
                    task,
                    "SerializationError",
                    "the task has the status RUNNING and no job_id; set it with the status QUEUED");
            return;
        }
        if (!JobId.isValid(job.get())) {
            failNotIts(task, job.get());
            return;
        }
        try {
            if (isOfTask(client.find(new JobRef(job.get()), STATE), task.id())) {
                watch(job.get(), task.id());
                return;
            }
        } catch (RuntimeException no) {
            if (concernsAll(no)) {
                throw no;
            }
            LOG.atDebug()
                    .addKeyValue("key", task.id())
                    .setCause(no)
                    .log("a task in Redis has a job that cannot be read");
        }
        failNotIts(task, job.get());
    }

    private void failNotIts(RedisTask task, String job) {
        fail(
                task,
                "UnexpectedError",
                "job_id is written by the orchestrator alone, and it has no job "
                        + job
                        + " of this task; it was removed, or somebody else wrote that value");
    }

    /// Waits for the end of `job`, which may be long over.
    private void watch(String job, String key) {
        running.put(job, key);
        look(job);
    }

    /// Follows the events of all jobs; those that ended while nobody followed are looked at first.
    private void follow() {
        try (var events = client.followAll()) {
            following.set(events);
            if (isClosing()) {
                return;
            }
            lookAtAll();
            for (var event : events) {
                event.jobId()
                        .filter(running::containsKey)
                        .ifPresent(job -> {
                            if (event.type().startsWith("job.")) {
                                look(job);
                            }
                        });
            }
        } finally {
            following.set(null);
        }
    }

    private void lookAtAll() {
        running.keySet().forEach(this::look);
    }

    /// A job whose end cannot be read or written is looked at again from time to time, and keeps no other waiting.
    private void look(String job) {
        try {
            lookAt(job);
        } catch (RuntimeException failed) {
            if (concernsAll(failed)) {
                throw failed;
            }
            failures.log(
                    LOG.atWarn().addKeyValue("job", job).setCause(failed),
                    "the job of a task in Redis cannot be looked at; others go on");
        }
    }

    private void lookAt(String job) {
        JobView view;
        try {
            view = client.find(new JobRef(job), STATE);
        } catch (ClientException.NotFound gone) {
            end(job, task -> task.failed("UnexpectedError", "job " + job + " was removed"));
            return;
        }
        var key = running.get(job);
        if (key == null || !isOfTask(view, key)) {
            // It was submitted by somebody else, under the idempotency key of the task.
            end(
                    job,
                    task ->
                            task.failed(
                                    "SerializationError",
                                    "job " + job + " was not submitted through Redis"));
            return;
        }
        switch (view.status()) {
            case FINISHED -> finished(view);
            case FAILED, CANCELLED -> {
                var reason = view.error().orElse("job " + job + " " + view.statusWord());
                end(job, task -> task.failed(errorType(reason), reason));
            }
            default -> {
                // It goes on.
            }
        }
    }

    private void finished(JobView view) {
        var job = view.job();
        oneResult.lock();
        try {
            var result = result(view.blueprint(), client.find(job, RESULT));
            end(job.id(), task -> task.completed(result));
        } catch (ClientException.TryLater notNow) {
            // There is no room for its result now. That of a small one may have some.
            LOG.atDebug()
                    .addKeyValue("job", job)
                    .setCause(notNow)
                    .log("the result of a task in Redis is asked for again");
        } finally {
            oneResult.unlock();
        }
    }

    private interface End {
        JsonObject of(RedisTask task);
    }

    private void end(String job, End end) {
        var key = running.get(job);
        for (var i = 0; key != null && i < CHANGES; i++) {
            if (length(key) <= SMALL) {
                if (isEnded(job, key, SMALL, end)) {
                    return;
                }
            } else if (!oneLarge.tryLock()) {
                // Results of small ones do not wait for it.
                var _ = large.offer(key);
                return;
            } else {
                try {
                    if (isEnded(job, key, MOST_BYTES, end)) {
                        return;
                    }
                } finally {
                    oneLarge.unlock();
                }
            }
        }
    }

    /// Writes the end of `job`, unless its task has gone or become another one.
    ///
    /// @return whether there is nothing more to do; false: the value has changed meanwhile
    private boolean isEnded(String job, String key, int most, End end) {
        var value = value(key, most).orElse(NONE);
        if (value.length > most) {
            if (most < MOST_BYTES) {
                return false;
            }
            tooLarge(key);
            running.remove(job);
            return true;
        }
        var task = RedisTask.read(key, value).filter(it -> it.job().equals(Optional.of(job)));
        if (task.isEmpty() || replace(task.get(), end.of(task.get()), settings.keep())) {
            running.remove(job);
            return true;
        }
        return false;
    }

    /// Whether it was submitted for the task under `key`.
    private static boolean isOfTask(JobView view, String key) {
        return view.document()
                .object("labels")
                .flatMap(labels -> labels.string(LABEL))
                .filter(key::equals)
                .isPresent();
    }

    private static JsonValue result(String blueprint, JobView view) {
        var result = view.result().orElse(JsonNull.NULL);
        return blueprint.equals(RedisTaskBlueprint.NAME) && result instanceof JsonObject it
                ? it.get(RedisTaskBlueprint.RESULT).orElse(JsonNull.NULL)
                : result;
    }

    /// The kind of a failure in the words of the contract.
    private static String errorType(String reason) {
        if (reason.contains("LOST: ")) {
            return "WorkerFailureError";
        }
        if (reason.contains("EXECUTION_TIMEOUT: ")) {
            return "DeadlineExceededError";
        }
        if (reason.contains("INVALID_INPUT: ")) {
            return "SerializationError";
        }
        return reason.contains("TRANSIENT: ") || reason.contains("PERMANENT: ")
                ? "FunctionExecutionFailure"
                : "UnexpectedError";
    }

    /// How many tasks have a job that goes on, as far as this process knows.
    public int running() {
        return running.size();
    }

    /// Takes no more tasks. Those that run go on, and their results are written when tasks are taken again.
    @Override
    public void close() {
        closing.countDown();
        if (announcements.isSubscribed()) {
            announcements.unsubscribe();
        }
        var open = following.get();
        if (open != null) {
            open.close();
        }
        redis.close();
    }
}
