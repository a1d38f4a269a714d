package dev.artel.simulation;

import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import dev.artel.simulation.workers.FaultInjector;
import dev.artel.simulation.workers.SimulatedWorker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Sees to it that [ScriptedEvent]s come about, each once: a person who gets no answer looks whether it has happened, and
/// tries again if it has not.
final class ScriptedPeople {
    private static final long AGAIN = 200;
    private static final String PERSON = "simulated-person";

    private final OrchestratorHost orchestratorHost;
    private final List<SimulatedWorker> workers;
    private final JobId job;
    private int left;
    private int forks;

    /// Those of a job that will be called `job`.
    ScriptedPeople(OrchestratorHost orchestratorHost, List<SimulatedWorker> workers, JobId job) {
        this.orchestratorHost = orchestratorHost;
        this.workers = workers;
        this.job = job;
    }

    /// The id of the job that is forked off first, second...
    static JobId fork(int number) {
        return new JobId("fork-" + number);
    }

    /// Whether nothing more is to come from here.
    boolean areDone() {
        return left == 0;
    }

    void expect(Duration at, ScriptedEvent what) {
        left++;
        var number = left;
        orchestratorHost.world().loop().at(at.toMillis(), () -> begin(number, what));
    }

    private void begin(int number, ScriptedEvent what) {
        orchestratorHost.world().note("script", what);
        switch (what) {
            case ScriptedEvent.OrchestratorCrash _ -> {
                left--;
                orchestratorHost.crash();
            }
            case ScriptedEvent.WorkerCrash(var name, var pause) -> {
                left--;
                workers.stream()
                        .filter(worker -> worker.id().value().equals(name))
                        .forEach(worker -> worker.crash(pause.toMillis()));
            }
            case ScriptedEvent.ClockJump(var distance) -> {
                left--;
                new FaultInjector(orchestratorHost, workers).jumpClock(distance.toMillis());
            }
            case ScriptedEvent.Decision(var choice) ->
                    send(
                            has(JobEvent.ApprovalDecided.class),
                            found ->
                                    first(found, Effect.AwaitApproval.class)
                                            .map(wait -> decision(found, wait, choice)));
            case ScriptedEvent.Reply(var answer) ->
                    send(
                            has(JobEvent.QuestionAnswered.class),
                            found ->
                                    first(found, Effect.AwaitAnswer.class)
                                            .map(wait -> reply(wait, answer)));
            case ScriptedEvent.Signal(var name, var payload) -> {
                var id = "signal-" + number;
                var kept = orchestratorHost.handling().keep(Payload.of(payload));
                orchestratorHost.ledger().sends(job, id);
                send(
                        event -> event instanceof JobEvent.SignalReceived it && it.id().equals(id),
                        _ ->
                                Optional.of(
                                        new JobCommand.Signal(
                                                name,
                                                id,
                                                kept,
                                                PERSON,
                                                orchestratorHost.world().now())));
            }
            case ScriptedEvent.Cancel(var reason) ->
                    send(
                            event ->
                                    event instanceof JobEvent.CancelRequested
                                            || event instanceof JobEvent.JobEnded,
                            _ ->
                                    Optional.of(
                                            new JobCommand.Cancel(
                                                    reason, orchestratorHost.world().now())));
            case ScriptedEvent.Resolve(var resolution) ->
                    send(
                            has(JobEvent.OutcomeResolved.class),
                            found ->
                                    first(found, Effect.AwaitResolution.class)
                                            .map(wait ->
                                                    new JobCommand.ResolveTask(
                                                            wait.task(),
                                                            resolution,
                                                            PERSON,
                                                            orchestratorHost.world().now())));
            case ScriptedEvent.ResolveQuarantine(var how) ->
                    send(
                            has(JobEvent.QuarantineResolved.class),
                            found ->
                                    found.phase() instanceof Job.Quarantined
                                            ? Optional.of(
                                                    new JobCommand.ResolveQuarantine(
                                                            how,
                                                            PERSON,
                                                            orchestratorHost.world().now()))
                                            : Optional.empty());
            case ScriptedEvent.Pause(var at, var pause) -> pause(at, pause);
            case ScriptedEvent.Rewind(var from, var to) ->
                    send(
                            has(JobEvent.JobRewound.class),
                            found ->
                                    isIn(found, from)
                                            ? visit(to).map(this::rewind)
                                            : Optional.empty());
            case ScriptedEvent.Fork(var at, var start) -> fork(++forks, at, start);
        }
    }

    private void pause(String at, Duration pause) {
        left++;
        send(
                has(JobEvent.JobPaused.class),
                found ->
                        isIn(found, at)
                                ? Optional.of(
                                        new JobCommand.PauseJob(
                                                Optional.of("somebody looks at it"),
                                                PERSON,
                                                orchestratorHost.world().now()))
                                : Optional.empty());
        orchestratorHost.world().loop().after(pause.toMillis(), this::resume);
    }

    private void resume() {
        send(
                has(JobEvent.JobResumed.class),
                found ->
                        found.pause()
                                .map(_ ->
                                        new JobCommand.ResumeJob(
                                                PERSON, orchestratorHost.world().now())));
    }

    private JobCommand rewind(StateVisit to) {
        orchestratorHost.ledger().wantsBack(job, to);
        return new JobCommand.Rewind(to, PERSON, orchestratorHost.world().now());
    }

    private JobCommand decision(Job found, Effect.AwaitApproval wait, String choice) {
        return new JobCommand.DecideApproval(
                new Approver.OfClient(found.spec().client(), wait.number()),
                choice,
                Optional.empty(),
                orchestratorHost.world().now());
    }

    private JobCommand reply(Effect.AwaitAnswer wait, String answer) {
        orchestratorHost.ledger().answers(job, wait.number(), answer);
        return new JobCommand.AnswerQuestion(
                wait.number(), answer, PERSON, orchestratorHost.world().now());
    }

    private static Predicate<JobEvent> has(Class<? extends JobEvent> type) {
        return type::isInstance;
    }

    private static <T extends Effect> Optional<T> first(Job found, Class<T> type) {
        return Jobs.pending(found).stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    private static boolean isIn(Job found, String state) {
        return found.branches().get(0).state().equals(state);
    }

    private Optional<StateVisit> visit(String state) {
        return StateVisit.last(job, orchestratorHost.ledger().eventsOf(job), state);
    }

    private void send(Predicate<JobEvent> done, Function<Job, Optional<JobCommand>> what) {
        new Sending(done, what, count(done)).goOn();
    }

    /// Something is sent until one more event shows that it was processed, as soon as the job is ready for it.
    private final class Sending {
        private final Predicate<JobEvent> done;
        private final Function<Job, Optional<JobCommand>> what;
        private final long before;

        Sending(Predicate<JobEvent> done, Function<Job, Optional<JobCommand>> what, long before) {
            this.done = done;
            this.what = what;
            this.before = before;
        }

        void goOn() {
            var found = orchestratorHost.ledger().fold(job);
            if (count(done) > before || found.filter(Job::isFinal).isPresent()) {
                left--;
                return;
            }
            if (orchestratorHost.orchestrator().isAlive()) {
                found.flatMap(what)
                        .ifPresent(command ->
                                orchestratorHost.orchestrator().ask(job, command, _ -> {}));
            }
            orchestratorHost.world().loop().after(AGAIN, this::goOn);
        }
    }

    private long count(Predicate<JobEvent> which) {
        return orchestratorHost.ledger().eventsOf(job).stream().filter(which).count();
    }

    private void fork(int number, String at, String start) {
        var id = fork(number);
        var found = orchestratorHost.ledger().fold(job);
        if (orchestratorHost.ledger().fold(id).isPresent()
                || found.filter(Job::isFinal).isPresent()) {
            left--;
            return;
        }
        if (orchestratorHost.orchestrator().isAlive()
                && found.filter(it -> isIn(it, at)).isPresent()) {
            visit(start).ifPresent(stateVisit -> fork(id, found.get(), stateVisit));
        }
        orchestratorHost.world().loop().after(AGAIN, () -> fork(number, at, start));
    }

    private void fork(JobId id, Job of, StateVisit stateVisit) {
        var spec = of.spec();
        var options =
                new JobOptions(
                        spec.options().priority(),
                        Optional.empty(),
                        spec.options().labels(),
                        Optional.empty(),
                        spec.options().cancelGrace(),
                        List.of(),
                        spec.options().trace());
        var command =
                new JobCommand.Fork(
                        new JobSpec(
                                        spec.blueprint(),
                                        stateVisit.state(),
                                        spec.client(),
                                        spec.initialData(),
                                        options,
                                        JobSpec.CURRENT_RULES,
                                        spec.clientPlan())
                                .withGuards(spec.guards())
                                .withCancelState(spec.cancelState())
                                .withBudget(spec.budget()),
                        of.id(),
                        stateVisit.data(),
                        RecordedResult.of(of),
                        PERSON,
                        orchestratorHost.world().now());
        orchestratorHost.orchestrator().fork(id, command, _ -> {});
    }
}
