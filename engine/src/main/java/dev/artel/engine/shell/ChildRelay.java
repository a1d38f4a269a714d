package dev.artel.engine.shell;

import dev.artel.kernel.child.Child;
import dev.artel.kernel.engine.ChildCommands;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.task.Payload;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries what jobs want of each other from one to the other, until the other has answered. Safe for use by many
/// threads.
final class ChildRelay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildRelay.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Blueprints blueprints;
    private final Function<Submission, InitialDataChecks.Finding> check;
    private final Values values;
    private final InstantSource clock;
    private final Post post;
    private final BiFunction<JobOptions, String, JobOptions> subscribed;
    private final Predicate<JobId> isThere;
    private final MissingDefinitions missing;
    private final StandingPauses pauses;
    private final Map<InFlight, Boolean> underWay = new ConcurrentHashMap<>();
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile boolean closed;

    private record InFlight(JobId job, EffectId effect) {}

    /// What jobs hand each other.
    ///
    /// @param large what is large in it
    /// @param share what the result of a child may take of the memory of its parent
    record Values(LargeValues large, Function<JobId, JobRoom.Share> share) {
        Payload result(JobId parent, Payload whole) {
            return large.keep(whole, share.apply(parent));
        }
    }

    /// Where commands go.
    interface Post {
        /// No caller waits for the answer.
        void send(JobId job, JobCommand command);

        /// A caller waits for the answer.
        ///
        /// @param onReply receives the reply once, and soon
        void ask(JobId job, JobCommand command, Consumer<CommandReply> onReply);
    }

    /// @param check what keeps initial data from fitting
    /// @param subscribed adds the subscribed webhooks to the options of a job of a blueprint
    /// @param isThere whether a job has begun
    /// @param missing holds the start of children whose blueprint is not there
    /// @param pauses with which children begin
    ChildRelay(
            Blueprints blueprints,
            Function<Submission, InitialDataChecks.Finding> check,
            Values values,
            InstantSource clock,
            Post post,
            BiFunction<JobOptions, String, JobOptions> subscribed,
            Predicate<JobId> isThere,
            MissingDefinitions missing,
            StandingPauses pauses) {
        this.pauses = pauses;
        this.subscribed = subscribed;
        this.isThere = isThere;
        this.missing = missing;
        this.blueprints = blueprints;
        this.check = check;
        this.values = values;
        this.clock = clock;
        this.post = post;
    }

    /// Lets commands go out: before, a job that has not been taken up yet might get a command.
    void open() {
        opened.countDown();
    }

    /// Carries each of `effects` that has a receiver.
    ///
    /// @param job that asks for them
    void perform(Job job, List<? extends Effect.CrossJob> effects) {
        for (var one : effects) {
            if (ChildCommands.addressee(one).isPresent()
                    && !closed
                    && underWay.putIfAbsent(new InFlight(job.id(), one.id()), true) == null) {
                Thread.ofVirtual().name("artel-children").start(() -> carry(job, one));
            }
        }
    }

    /// Whether a command is being sent, or held until a definition is there.
    boolean isUnderWay(JobId job, EffectId effect) {
        return underWay.containsKey(new InFlight(job, effect)) || missing.holds(job, effect);
    }

    /// A child whose start is held may be wanted no longer.
    void review(Job job) {
        if (missing.holdsAny(job.id())) {
            var unwanted = new ArrayList<Effect.StartChild>();
            for (var effect : Jobs.pending(job)) {
                if (effect instanceof Effect.StartChild start
                        && isUnwanted(job, start)
                        && missing.holds(job.id(), start.id())) {
                    unwanted.add(start);
                }
            }
            perform(job, unwanted);
        }
    }

    private static boolean isUnwanted(Job job, Effect.StartChild start) {
        return job.children().children().get(start.parentLink().child()).state()
                instanceof Child.Unwanted;
    }

    /// What no longer has to be done.
    void withdraw(JobId job, List<Effect.CrossJob> effects) {
        effects.forEach(effect -> underWay.remove(new InFlight(job, effect.id())));
    }

    private void carry(Job job, Effect.CrossJob effect) {
        try {
            opened.await();
            while (!closed && underWay.containsKey(new InFlight(job.id(), effect.id()))) {
                if (tryToCarry(job, effect)) {
                    return;
                }
                Thread.sleep(AGAIN);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return false to try it again later
    private boolean tryToCarry(Job job, Effect.CrossJob effect) {
        try {
            var command = command(job, effect);
            if (command.isEmpty()) {
                return true;
            }
            post.ask(
                    ChildCommands.addressee(effect).orElseThrow(),
                    command.get(),
                    reply -> answered(job, effect, reply));
            return true;
        } catch (StoreException unreadable) {
            LOG.atWarn()
                    .addKeyValue("job", job.id())
                    .setCause(unreadable)
                    .log("a value cannot be read for another job; retrying");
            return false;
        } catch (NotNow busy) {
            LOG.atDebug()
                    .addKeyValue("job", job.id())
                    .addKeyValue("effect", effect.id())
                    .addKeyValue("why", busy.getMessage())
                    .log("a child cannot be started now; retrying");
            return false;
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("job", job.id())
                    .addKeyValue("effect", effect.id())
                    .setCause(bug)
                    .log("a command between jobs cannot be delivered; retrying");
            return false;
        }
    }

    private void answered(Job job, Effect.CrossJob effect, CommandReply reply) {
        var answer = ChildCommands.answer(effect, reply, now());
        if (answer.isPresent()) {
            give(job, effect, answer.get());
        } else {
            Thread.ofVirtual()
                    .name("artel-children")
                    .start(() -> {
                        try {
                            Thread.sleep(AGAIN);
                            carry(job, effect);
                        } catch (InterruptedException stop) {
                            Thread.currentThread().interrupt();
                        }
                    });
        }
    }

    /// The command is over before the job knows it: should that come to nothing, the job asks for it again.
    private void give(Job job, Effect effect, JobCommand answer) {
        if (underWay.remove(new InFlight(job.id(), effect.id())) != null) {
            post.send(job.id(), answer);
        }
    }

    /// @return empty if the job has its answer already
    private Optional<JobCommand> command(Job job, Effect.CrossJob effect) {
        return switch (effect) {
            case Effect.StartChild start -> start(job, start);
            case Effect.StopChild _ -> Optional.of(ChildCommands.stop(job, now()));
            case Effect.NotifyParent notification ->
                    Optional.of(
                            ChildCommands.notifyParent(
                                    job,
                                    notification,
                                    values.large()::resolve,
                                    whole ->
                                            values.result(
                                                    notification.parentLink().parent(), whole),
                                    now()));
            case Effect.AwaitChild _ -> Optional.empty();
        };
    }

    private Optional<JobCommand> start(Job job, Effect.StartChild start) {
        var spec = start.spec();
        var blueprint = missing.find(job.spec(), spec);
        if (blueprint.isEmpty()) {
            return hold(job, start);
        }
        missing.release(job.id(), start.id());
        var submission =
                new Submission(
                        spec.blueprint(),
                        spec.version(),
                        job.spec().client(),
                        values.large().resolve(spec.initialData()),
                        Optional.empty(),
                        JobOptions.DEFAULTS,
                        ClientPlan.UNKNOWN);
        return switch (check.apply(submission)) {
            case InitialDataChecks.Finding.NotNow(var why) -> throw new NotNow(why);
            case InitialDataChecks.Finding.Checked(var mismatches) ->
                    mismatches.isEmpty()
                            ? Optional.of(
                                    subscribed(
                                            ChildCommands.start(
                                                    job, start, blueprint.get(), now())))
                            : refuse(
                                    job,
                                    start,
                                    mismatches.stream()
                                            .map(Object::toString)
                                            .collect(Collectors.joining("; ")));
        };
    }

    /// Whether the initial data of a child fit cannot be known at this moment.
    private static final class NotNow extends RuntimeException {
        @Serial private static final long serialVersionUID = 1;

        NotNow(String why) {
            super(why, null, false, false);
        }
    }

    /// Without its definition a child can neither begin nor be reported as refused, unless its parent no longer wants it.
    private Optional<JobCommand> hold(Job job, Effect.StartChild start) {
        if (isUnwanted(job, start) || isThere.test(start.job())) {
            missing.release(job.id(), start.id());
            return refuse(
                    job,
                    start,
                    "not wanted any more, and "
                            + blueprints.missing(start.spec().blueprint(), start.spec().version()));
        }
        var isNew = missing.hold(job, start);
        if (underWay.remove(new InFlight(job.id(), start.id())) == null) {
            missing.release(job.id(), start.id()); // withdrawn meanwhile
        } else if (isNew) {
            missing.lookAgain(job.id());
        }
        return Optional.empty();
    }

    private JobCommand subscribed(JobCommand.Submit start) {
        var spec = start.spec();
        var options = subscribed.apply(spec.options(), spec.blueprint().group());
        return new JobCommand.Submit(spec.withOptions(options), start.at())
                .paused(pauses.ofNew(spec.blueprint().name(), spec.client(), start.at()));
    }

    /// A child that had begun before a crash lives, whatever has become of its blueprint since.
    private Optional<JobCommand> refuse(Job job, Effect.StartChild start, String reason) {
        var answer =
                isThere.test(start.job())
                        ? ChildCommands.answer(start, new CommandReply.Done(false), now())
                                .orElseThrow()
                        : ChildCommands.refusal(start, reason, now());
        give(job, start, answer);
        return Optional.empty();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Carries nothing more; what was not answered is carried again after the next start.
    @Override
    public void close() {
        closed = true;
        opened.countDown();
    }
}
