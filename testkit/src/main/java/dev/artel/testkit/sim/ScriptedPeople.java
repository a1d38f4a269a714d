package dev.artel.testkit.sim;

import dev.artel.kernel.job.Approver;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Recorded;
import dev.artel.kernel.job.Visit;
import dev.artel.kernel.task.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Sees to it that [Happening]s come about, each once: a person who gets no answer looks whether it has happened, and
/// tries again if it has not.
final class ScriptedPeople {
    private static final long AGAIN = 200;
    private static final String PERSON = "simulated-person";

    private final Site site;
    private final List<SimulatedWorker> workers;
    private final JobId job;
    private int left;
    private int forks;

    /// Those of a job that will be called `job`.
    ScriptedPeople(Site site, List<SimulatedWorker> workers, JobId job) {
        this.site = site;
        this.workers = workers;
        this.job = job;
    }

    /// Whether nothing more is to come from here.
    boolean areDone() {
        return left == 0;
    }

    void expect(Duration at, Happening what) {
        left++;
        var number = left;
        site.world().loop().at(at.toMillis(), () -> begin(number, what));
    }

    private void begin(int number, Happening what) {
        site.world().note("script", what);
        switch (what) {
            case Happening.OrchestratorCrash _ -> {
                left--;
                site.crash();
            }
            case Happening.WorkerCrash(var name, var pause) -> {
                left--;
                workers.stream()
                        .filter(worker -> worker.id().value().equals(name))
                        .forEach(worker -> worker.crash(pause.toMillis()));
            }
            case Happening.ClockJump(var distance) -> {
                left--;
                new Mischief(site, workers).jumpClock(distance.toMillis());
            }
            case Happening.Decision(var choice) ->
                    say(
                            has(JobEvent.ApprovalDecided.class),
                            found ->
                                    first(found, Effect.AwaitApproval.class)
                                            .map(wait -> decision(found, wait, choice)));
            case Happening.Reply(var answer) ->
                    say(
                            has(JobEvent.QuestionAnswered.class),
                            found ->
                                    first(found, Effect.AwaitAnswer.class)
                                            .map(wait -> reply(wait, answer)));
            case Happening.Signal(var name, var payload) -> {
                var id = "signal-" + number;
                var kept = site.handling().keep(Payload.of(payload));
                site.ledger().sends(job, id);
                say(
                        event -> event instanceof JobEvent.SignalReceived it && it.id().equals(id),
                        _ ->
                                Optional.of(
                                        new JobCommand.Signal(
                                                name, id, kept, PERSON, site.world().now())));
            }
            case Happening.Cancel(var reason) ->
                    say(
                            event ->
                                    event instanceof JobEvent.CancelRequested
                                            || event instanceof JobEvent.JobEnded,
                            _ -> Optional.of(new JobCommand.Cancel(reason, site.world().now())));
            case Happening.Verdict(var resolution) ->
                    say(
                            has(JobEvent.OutcomeResolved.class),
                            found ->
                                    first(found, Effect.AwaitVerdict.class)
                                            .map(wait ->
                                                    new JobCommand.ResolveTask(
                                                            wait.task(),
                                                            resolution,
                                                            PERSON,
                                                            site.world().now())));
            case Happening.Mend(var how) ->
                    say(
                            has(JobEvent.JobMended.class),
                            found ->
                                    found.phase() instanceof Job.Quarantined
                                            ? Optional.of(
                                                    new JobCommand.Mend(
                                                            how, PERSON, site.world().now()))
                                            : Optional.empty());
            case Happening.Rewind(var from, var to) ->
                    say(
                            has(JobEvent.JobRewound.class),
                            found ->
                                    isIn(found, from)
                                            ? visit(to).map(this::rewind)
                                            : Optional.empty());
            case Happening.Fork(var at, var start) -> fork(++forks, at, start);
        }
    }

    private JobCommand rewind(Visit to) {
        site.ledger().wantsBack(job, to);
        return new JobCommand.Rewind(to, PERSON, site.world().now());
    }

    private JobCommand decision(Job found, Effect.AwaitApproval wait, String choice) {
        return new JobCommand.DecideApproval(
                new Approver.OfClient(found.spec().client(), wait.number()),
                choice,
                Optional.empty(),
                site.world().now());
    }

    private JobCommand reply(Effect.AwaitAnswer wait, String answer) {
        site.ledger().answers(job, wait.number(), answer);
        return new JobCommand.AnswerQuestion(wait.number(), answer, PERSON, site.world().now());
    }

    private static Predicate<JobEvent> has(Class<? extends JobEvent> type) {
        return type::isInstance;
    }

    private static <T extends Effect> Optional<T> first(Job found, Class<T> type) {
        return Jobs.pending(found).stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    private static boolean isIn(Job found, String state) {
        return found.strands().get(0).state().equals(state);
    }

    private Optional<Visit> visit(String state) {
        return Visit.last(job, site.ledger().eventsOf(job), state);
    }

    private void say(Predicate<JobEvent> done, Function<Job, Optional<JobCommand>> what) {
        new Saying(done, what, count(done)).goOn();
    }

    /// Something is said until one more event shows that it was heard, as soon as the job is ready for it.
    private final class Saying {
        private final Predicate<JobEvent> done;
        private final Function<Job, Optional<JobCommand>> what;
        private final long before;

        Saying(Predicate<JobEvent> done, Function<Job, Optional<JobCommand>> what, long before) {
            this.done = done;
            this.what = what;
            this.before = before;
        }

        void goOn() {
            var found = site.ledger().fold(job);
            if (count(done) > before || found.filter(Job::isFinal).isPresent()) {
                left--;
                return;
            }
            if (site.orchestrator().isAlive()) {
                found.flatMap(what)
                        .ifPresent(command -> site.orchestrator().ask(job, command, _ -> {}));
            }
            site.world().loop().after(AGAIN, this::goOn);
        }
    }

    private long count(Predicate<JobEvent> which) {
        return site.ledger().eventsOf(job).stream().filter(which).count();
    }

    private void fork(int number, String at, String start) {
        var id = new JobId("fork-" + number);
        var found = site.ledger().fold(job);
        if (site.ledger().fold(id).isPresent() || found.filter(Job::isFinal).isPresent()) {
            left--;
            return;
        }
        if (site.orchestrator().isAlive() && found.filter(it -> isIn(it, at)).isPresent()) {
            visit(start).ifPresent(visit -> fork(id, found.get(), visit));
        }
        site.world().loop().after(AGAIN, () -> fork(number, at, start));
    }

    private void fork(JobId id, Job of, Visit visit) {
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
                                        visit.state(),
                                        spec.client(),
                                        spec.initialData(),
                                        options,
                                        JobSpec.CURRENT_RULES,
                                        spec.terms())
                                .withGuards(spec.guards()),
                        of.id(),
                        visit.data(),
                        Recorded.of(of),
                        PERSON,
                        site.world().now());
        site.orchestrator().fork(id, command, _ -> {});
    }
}
