package dev.artel.testkit.transport;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The delivering side of an engine without a store: one lock, a queue in the order of submission, leases that run
/// out by a given clock. Each job is one task. Safe for use by many threads.
public final class ReferenceEngine implements WorkerPort {
    private static final Duration FIRST_TERM = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Duration GLANCE = Duration.ofMillis(20);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final InstantSource clock;
    private final SequencedMap<JobId, Order> orders = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, WorkerProfile> workers = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, JsonObject> registrations = new LinkedHashMap<>();
    private final SequencedMap<Long, Wish> wishes = new LinkedHashMap<>();
    private final List<Runnable> notices = new ArrayList<>();
    private @Nullable Listener listener;
    private CommandReply.@Nullable TryLater trouble;
    private long minted;
    private long changes;

    private record Wish(long ask, WorkerId worker, int max) {}

    private record Held(Lease lease, Instant until, boolean isRevoked) {
        Held renewed(Instant later) {
            return new Held(lease, later, isRevoked);
        }
    }

    private static final class Order {
        final JobId job;
        final TaskSpec spec;
        final List<LeaseEnd> endings = new ArrayList<>();
        final List<TaskReport> applied = new ArrayList<>();
        final List<ReportedCost> costs = new ArrayList<>();
        @Nullable Held held;
        @Nullable LeaseToken reportedUnder;
        final List<Answer> answers = new ArrayList<>();
        @Nullable Question asked;
        int attempts;
        int renewals;
        boolean isCancelled;

        Order(JobId job, TaskSpec spec) {
            this.job = job;
            this.spec = spec;
        }

        boolean isQueued() {
            return held == null && applied.isEmpty() && !isCancelled;
        }
    }

    /// An engine without jobs.
    public ReferenceEngine(InstantSource clock) {
        this.clock = clock;
    }

    /// Talks to `newListener` from now on, as after a start: workers and their wishes are forgotten, leases live a
    /// full term.
    public void connect(Listener newListener) {
        act(() -> {
            listener = newListener;
            workers.clear();
            wishes.clear();
            renewIf(_ -> true, FIRST_TERM);
            for (var order : orders.sequencedValues()) {
                var held = order.held;
                if (held != null) {
                    notify(to -> to.held(handOut(order, held.lease())));
                }
            }
        });
    }

    /// Queues a task of `type`.
    public JobId submit(String type, JsonObject params) {
        return answer(() -> {
            var job = new JobId("job-" + (orders.size() + 1));
            orders.put(job, new Order(job, TaskSpec.of(type, params)));
            return job;
        });
    }

    /// Queues a task of `type` without parameters.
    public JobId submit(String type) {
        return submit(type, JsonObject.EMPTY);
    }

    /// Ends a job early; a worker that has its task is to give it up.
    public void cancel(JobId job) {
        act(() -> {
            var order = order(job);
            order.isCancelled = true;
            var held = order.held;
            if (held != null) {
                order.held = new Held(held.lease(), held.until(), true);
                notify(to -> to.revoke(held.lease().worker(), held.lease().token()));
            }
        });
    }

    /// Ends the leases whose time is up.
    public void expire() {
        act(() -> {
            var now = clock.instant();
            for (var order : List.copyOf(orders.sequencedValues())) {
                var held = order.held;
                if (held != null && !held.until().isAfter(now)) {
                    over(order, LeaseEnd.Lost.EXPIRED);
                    notify(to -> to.lost(held.lease().worker(), held.lease().token()));
                }
            }
        });
    }

    /// From now on reports are put off, until this is called with null.
    public void refuseReports(CommandReply.@Nullable TryLater reply) {
        act(() -> trouble = reply);
    }

    @Override
    public boolean registered(WorkerId worker, JsonObject words) {
        return answer(() -> {
            registrations.remove(worker);
            registrations.put(worker, words);
            return true;
        });
    }

    /// The registrations of workers, the latest first.
    public List<Registration> registrations() {
        return answer(() ->
                registrations.sequencedEntrySet().reversed().stream()
                        .map(entry -> new Registration(entry.getKey(), entry.getValue()))
                        .toList());
    }

    @Override
    public void joined(WorkerProfile profile) {
        act(() -> workers.put(profile.id(), profile));
    }

    @Override
    public void left(WorkerId worker, LeaseEnd reason) {
        act(() -> {
            workers.remove(worker);
            wishes.values().removeIf(wish -> wish.worker().equals(worker));
            for (var order : orders.values()) {
                if (isHeldBy(order, worker)) {
                    over(order, reason);
                }
            }
        });
    }

    @Override
    public void ask(long ask, WorkerId worker, int max) {
        act(() -> wishes.put(ask, new Wish(ask, worker, max)));
    }

    @Override
    public void withdraw(long ask) {
        act(() -> wishes.remove(ask));
    }

    @Override
    public void renew(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        act(() ->
                renewIf(
                        held ->
                                held.lease().worker().equals(worker)
                                        && tokens.contains(held.lease().token()),
                        term));
    }

    @Override
    public RenewReply renewOnly(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        return answer(() -> {
            var lost = new ArrayList<>(tokens);
            renewIf(
                    held ->
                            held.lease().worker().equals(worker)
                                    && lost.remove(held.lease().token()),
                    term);
            return new RenewReply.Renewed(lost);
        });
    }

    @Override
    public void end(LeaseToken token, LeaseEnd reason) {
        act(() -> {
            for (var order : orders.values()) {
                if (order.held != null && order.held.lease().token().equals(token)) {
                    over(order, reason);
                }
            }
        });
    }

    @Override
    public CommandReply report(
            WorkerId worker, LeaseToken token, TaskReport report, ReportedCost cost) {
        return answer(() -> {
            var reply = take(worker, token, report);
            if (reply.equals(new CommandReply.Done(true))) {
                token.address()
                        .map(address -> orders.get(address.job()))
                        .ifPresent(order -> order.costs.add(cost));
            }
            return reply;
        });
    }

    private CommandReply take(WorkerId worker, LeaseToken token, TaskReport report) {
        if (trouble != null) {
            return trouble;
        }
        var order = token.address().map(address -> orders.get(address.job())).orElse(null);
        if (order == null) {
            return refused(Decision.Reason.UNKNOWN_JOB, "no job has lease " + token);
        }
        if (token.equals(order.reportedUnder)) {
            return new CommandReply.Done(false);
        }
        var held = order.held;
        if (held == null
                || !held.lease().token().equals(token)
                || !held.lease().worker().equals(worker)) {
            return refused(
                    order.applied.isEmpty() ? Decision.Reason.STALE_LEASE : Decision.Reason.FINAL,
                    "job " + order.job + ": lease " + token + " is not held by " + worker);
        }
        order.held = null;
        if (held.isRevoked()) {
            return refused(Decision.Reason.FINAL, "job " + order.job + " was cancelled");
        }
        order.reportedUnder = token;
        order.applied.add(report);
        return new CommandReply.Done(true);
    }

    @Override
    public QuestionReply question(
            WorkerId worker,
            LeaseToken token,
            Question question,
            Optional<Duration> within,
            Duration wait) {
        return answer(() -> {
            var order = token.address().map(address -> orders.get(address.job())).orElse(null);
            var held = order == null ? null : order.held;
            if (order == null
                    || held == null
                    || !held.lease().token().equals(token)
                    || !held.lease().worker().equals(worker)) {
                return new QuestionReply.Refused(
                        Decision.Reason.STALE_LEASE,
                        "lease " + token + " is not held by " + worker);
            }
            var known =
                    order.answers.stream()
                            .filter(it -> it.question().id().equals(question.id()))
                            .findFirst();
            if (known.isPresent()) {
                return new QuestionReply.Answered(known.get().text());
            }
            order.asked = question;
            return new QuestionReply.Waiting(1);
        });
    }

    /// What the worker that has the task of a job wants to know.
    public Optional<Question> asked(JobId job) {
        return answer(() -> Optional.ofNullable(order(job).asked));
    }

    /// Answers the question of the worker that has the task of a job.
    public void answer(JobId job, String text) {
        act(() -> {
            var order = order(job);
            var asked = order.asked;
            if (asked == null) {
                throw new AssertionError("no question is open for " + job);
            }
            order.answers.add(new Answer(1, asked, text, "client", clock.instant()));
            order.asked = null;
        });
    }

    private static CommandReply refused(Decision.Reason reason, String detail) {
        return new CommandReply.Refused(reason, detail);
    }

    /// The reports that counted; at most one unless something is wrong.
    public List<TaskReport> applied(JobId job) {
        return answer(() -> List.copyOf(order(job).applied));
    }

    /// What workers reported that the attempts of a job have cost, as far as their reports counted.
    public List<ReportedCost> costs(JobId job) {
        return answer(() -> List.copyOf(order(job).costs));
    }

    /// How the leases of a job ended without a report, the eldest first.
    public List<LeaseEnd> endings(JobId job) {
        return answer(() -> List.copyOf(order(job).endings));
    }

    /// Who has the task of a job.
    public Optional<WorkerId> holder(JobId job) {
        return answer(
                () -> Optional.ofNullable(order(job).held).map(held -> held.lease().worker()));
    }

    /// Whether a job waits for a worker.
    public boolean isQueued(JobId job) {
        return answer(() -> order(job).isQueued());
    }

    /// How often the lease of a task was renewed.
    public int renewals(JobId job) {
        return answer(() -> order(job).renewals);
    }

    /// How often a task was handed out.
    public int attempts(JobId job) {
        return answer(() -> order(job).attempts);
    }

    /// What was reported last of a worker that is there.
    public Optional<WorkerProfile> worker(String worker) {
        return answer(() -> Optional.ofNullable(workers.get(new WorkerId(worker))));
    }

    /// How many asks of a worker wait.
    public int asks(String worker) {
        return answer(() ->
                (int)
                        wishes.values().stream()
                                .filter(wish -> wish.worker().value().equals(worker))
                                .count());
    }

    /// Waits until `condition` holds, at most three minutes of real time.
    public void await(String what, BooleanSupplier condition) {
        var deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError("waited " + TIMEOUT + " in vain: " + what);
            }
            awaitChange();
        }
    }

    /// Waits for a change, but not long, since not every condition is one of the engine's.
    private void awaitChange() {
        lock.lock();
        try {
            var seen = changes;
            var left = GLANCE.toNanos();
            while (changes == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        } finally {
            lock.unlock();
        }
    }

    private Order order(JobId job) {
        var order = orders.get(job);
        if (order == null) {
            throw new AssertionError("no such job: " + job);
        }
        return order;
    }

    private static boolean isHeldBy(Order order, WorkerId worker) {
        return order.held != null && order.held.lease().worker().equals(worker);
    }

    private static void over(Order order, LeaseEnd reason) {
        order.held = null;
        order.asked = null;
        order.endings.add(reason);
    }

    private void renewIf(java.util.function.Predicate<Held> test, Duration term) {
        for (var order : orders.values()) {
            if (order.held != null && test.test(order.held)) {
                order.held = order.held.renewed(clock.instant().plus(term));
                order.renewals++;
            }
        }
    }

    private void match() {
        for (var wish : List.copyOf(wishes.sequencedValues())) {
            var profile = workers.get(wish.worker());
            if (profile != null && !profile.draining()) {
                var tasks = grant(profile, wish.max());
                if (!tasks.isEmpty()) {
                    wishes.remove(wish.ask());
                    notify(to -> to.handOut(wish.ask(), wish.worker(), tasks));
                }
            }
        }
    }

    private List<HandOut> grant(WorkerProfile profile, int max) {
        var busy =
                orders.values().stream()
                        .filter(o -> isHeldBy(o, profile.id()) && o.asked == null)
                        .count();
        var free = Math.min(max, profile.capacity() - busy);
        var tasks = new ArrayList<HandOut>();
        for (var order : orders.values()) {
            if (tasks.size() < free
                    && order.isQueued()
                    && profile.tasks().contains(order.spec.type())) {
                tasks.add(grant(order, profile));
            }
        }
        return List.copyOf(tasks);
    }

    private HandOut grant(Order order, WorkerProfile worker) {
        order.attempts++;
        var now = clock.instant();
        var lease =
                new Lease(
                        LeaseToken.mint(order.job, 0, order.attempts, ++minted),
                        worker.id(),
                        worker.instance(),
                        order.attempts,
                        now.plus(order.spec.limits().executionTimeout()),
                        Spending.NONE);
        order.held = new Held(lease, now.plus(FIRST_TERM), false);
        return handOut(order, lease);
    }

    private static HandOut handOut(Order order, Lease lease) {
        return new HandOut(order.job, 0, lease, order.spec, 0, Optional.empty(), order.answers);
    }

    private void notify(java.util.function.Consumer<Listener> notice) {
        var to = listener;
        if (to != null) {
            notices.add(() -> notice.accept(to));
        }
    }

    private void act(Runnable change) {
        answer(() -> {
            change.run();
            return true;
        });
    }

    /// Notices leave without the lock, since the receiver of one may call back.
    private <T> T answer(java.util.function.Supplier<T> change) {
        List<Runnable> leaving;
        T answer;
        lock.lock();
        try {
            answer = change.get();
            match();
            leaving = List.copyOf(notices);
            notices.clear();
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        leaving.forEach(Runnable::run);
        return answer;
    }
}
