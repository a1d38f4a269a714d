package dev.artel.engine.shell;

import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.DeskCore;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.JobsCore;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StreamId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a [JobsCore] in a mailbox.
final class Partition {
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);
    private static final Duration LOAD_PAUSE = Duration.ofMillis(500);

    private static final int RECOVERING_AT_ONCE = 4096;

    private final Semaphore recovering = new Semaphore(RECOVERING_AT_ONCE);
    private final JobsCore core;
    private final Mailbox<JobsInput> mailbox;
    private final EventStore store;
    private final StoreWriter writer;
    private final Tickets<CommandReply> tickets;
    private final Consumer<DeskInput> desk;
    private final StepStarter steps;
    private final Tickets<Optional<JobsOutput.Seen>> looks = new Tickets<>();
    private final FamilyRelay family;
    private final NoticeRelay notices;
    private final Consumer<JobsOutput.Happened> observer;
    private final List<JobsOutput> outputs = new ArrayList<>();

    Partition(
            String name,
            int room,
            EventStore store,
            StoreWriter writer,
            Tickets<CommandReply> tickets,
            Receivers receivers) {
        core = new JobsCore(room, receivers.definitions());
        this.store = store;
        this.writer = writer;
        this.tickets = tickets;
        desk = receivers.desk();
        steps = receivers.steps();
        family = receivers.family();
        notices = receivers.notices();
        observer = receivers.observer();
        mailbox = new Mailbox<>(name, this::receive);
    }

    /// Where a partition sends what it wants done.
    record Receivers(
            Consumer<DeskInput> desk,
            StepStarter steps,
            FamilyRelay family,
            NoticeRelay notices,
            Definitions definitions,
            Consumer<JobsOutput.Happened> observer) {}

    /// Starts steps of jobs.
    interface StepStarter {
        void start(Job job, Effect.RunStep step);

        /// Starts a step before what asks for it is durable.
        ///
        /// @param told is told once and soon what came of it; nothing: it is to be started like any other
        void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> told);
    }

    void put(JobsInput input) {
        mailbox.putAndRun(input);
    }

    /// Takes up a job; waits while many others have not been taken up yet, so that memory stays bounded.
    void recover(JobsInput.Recovered input) {
        recovering.acquireUninterruptibly();
        put(input);
    }

    private void receive(JobsInput input) {
        if (input instanceof JobsInput.Recovered) {
            recovering.release();
        }
        core.on(input, outputs::add);
        try {
            outputs.forEach(this::perform);
        } finally {
            outputs.clear();
        }
    }

    private void perform(JobsOutput output) {
        switch (output) {
            case JobsOutput.Load(var job) ->
                    Thread.ofVirtual().name("artel-load").start(() -> load(job));
            case JobsOutput.Reserve(var job, var offers) ->
                    desk.accept(new DeskInput.Reserve(job, offers));
            case JobsOutput.RunAhead(var job, var step) ->
                    steps.startAhead(
                            job, step, outcome -> put(new JobsInput.RanAhead(job.id(), outcome)));
            case JobsOutput.Write(var job, var append) ->
                    writer.write(append, outcome -> told(job, outcome));
            case JobsOutput.Answer(long ticket, var reply) -> tickets.answer(ticket, reply);
            case JobsOutput.Effects(var job, var asked, var ended) -> {
                asked.forEach(effect -> {
                    if (effect instanceof Effect.RunStep step) {
                        steps.start(job, step);
                    }
                });
                family.withdraw(job.id(), ended);
                family.perform(job, asked);
                notices.perform(job.id(), asked);
                var held = DeskCore.standing(asked);
                var released = DeskCore.standing(ended);
                if (!held.isEmpty() || !released.isEmpty()) {
                    desk.accept(new DeskInput.Effects(job.id(), held, released));
                }
            }
            case JobsOutput.AllPending(var state, var pending) -> {
                if (state instanceof Job job) {
                    pending.forEach(effect -> {
                        if (effect instanceof Effect.RunStep step) {
                            steps.start(job, step);
                        }
                    });
                    family.perform(job, pending);
                    notices.perform(job.id(), pending);
                }
                desk.accept(new DeskInput.AllPending(state.id(), DeskCore.standing(pending)));
            }
            case JobsOutput.Seen seen -> looks.answer(seen.ticket(), Optional.of(seen));
            case JobsOutput.Happened happened -> observer.accept(happened);
            case JobsOutput.GrantLapsed(var token) -> desk.accept(new DeskInput.GrantLapsed(token));
        }
    }

    private void told(JobId job, StoreWriter.Outcome outcome) {
        var input =
                switch (outcome) {
                    case StoreWriter.Outcome.Durable _ -> new JobsInput.Committed(job);
                    case StoreWriter.Outcome.Failed(var detail) ->
                            new JobsInput.AppendFailed(job, detail);
                    case StoreWriter.Outcome.Refused(var detail) ->
                            new JobsInput.AppendRefused(job, detail);
                };
        if (writer.isIdle()) {
            mailbox.putAndRun(input);
        } else {
            mailbox.put(input);
        }
    }

    /// How a job is; empty if it did not say in time.
    Optional<JobsOutput.Seen> look(JobId job, Duration limit) {
        return looks.ask(ticket -> put(new JobsInput.Look(job, ticket)), limit, Optional.empty());
    }

    private void load(JobId job) {
        try {
            var state = (JobState) new JobState.Unsubmitted(job);
            for (var append : store.read(StreamId.of(job), 0)) {
                state = Jobs.evolve(state, append.events()).after();
            }
            put(new JobsInput.Loaded(state));
        } catch (StoreException unreadable) {
            pause();
            put(
                    new JobsInput.LoadFailed(
                            job, "job " + job + " cannot be read: " + unreadable.getMessage()));
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("job", job)
                    .setCause(bug)
                    .log("the events of a job make no sense; what is asked of it is refused");
            pause();
            put(
                    new JobsInput.LoadFailed(
                            job, "job " + job + " cannot be read: its events make no sense"));
        }
    }

    /// So that a store that is down is not asked without pause.
    private static void pause() {
        try {
            Thread.sleep(LOAD_PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
