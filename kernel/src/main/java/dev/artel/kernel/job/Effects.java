package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.task.TaskOutline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads the effects off the parts of a job's state: the state is the outbox.
final class Effects {
    private Effects() {}

    /// What a strand asks for while its job is active.
    static List<Effect> ofStrand(Strand strand) {
        return switch (strand.doing()) {
            case Strand.Stepping(var run, var cause, int failures) ->
                    List.of(
                            new Effect.RunStep(
                                    run, strand.id(), strand.state(), cause, failures + 1));
            case Strand.BackingOff(var alarm, var _, var _) -> List.of(wake(strand, alarm));
            case Strand.Waiting(var alarm, var _) -> List.of(wake(strand, alarm));
            case Strand.AwaitingSignal(var wait, var signal, var _, var deadline, var _) ->
                    untilThen(strand, new Effect.AwaitSignal(wait, strand.id(), signal), deadline);
            case Strand.AwaitingApproval(var wait, var approval, var deadline) ->
                    untilThen(
                            strand,
                            new Effect.AwaitApproval(wait, strand.id(), approval),
                            deadline);
            case Strand.AwaitingTask _,
                    Strand.AwaitingTasks _,
                    Strand.AwaitingBranches _,
                    Strand.AwaitingChild _,
                    Strand.AwaitingChildren _,
                    Strand.Over _,
                    Strand.Stopped _ ->
                    List.of();
        };
    }

    private static List<Effect> untilThen(Strand strand, Effect wait, Optional<Alarm> deadline) {
        return deadline.<List<Effect>>map(alarm -> List.of(wait, wake(strand, alarm)))
                .orElse(List.of(wait));
    }

    /// What a queued task asks for while its job is active.
    static List<Effect> ofQueued(Task task, Delivery.Queued queued, JobSpec job) {
        var offer =
                new Effect.Offer(
                        queued.offer(),
                        task.id(),
                        queued.attempt(),
                        TaskOutline.of(job.blueprint().name(), task.spec()),
                        job.options().priority(),
                        job.client(),
                        task.opened(),
                        queued.notBefore(),
                        failedOn(task));
        return queued.deadline()
                .<List<Effect>>map(alarm -> List.of(offer, wake(task, alarm)))
                .orElse(List.of(offer));
    }

    private static List<WorkerId> failedOn(Task task) {
        return task.spec().demand().choice().exclusion() == Exclusion.NONE
                ? List.of()
                : task.failedOn();
    }

    /// What a leased task asks for until its job ends.
    static List<Effect> ofLeased(Task task, Delivery.Leased leased, JobSpec job) {
        return List.of(
                new Effect.HoldLease(
                        leased.hold(),
                        task.id(),
                        leased.lease(),
                        task.spec(),
                        job.blueprint().name(),
                        job.options().priority(),
                        job.options().trace(),
                        task.answers()),
                wake(task, leased.timeout()));
    }

    static Effect.HoldParked ofParked(Task task, Delivery.Parked parked) {
        return new Effect.HoldParked(parked.hold(), task.id(), parked.lease());
    }

    /// What a question asks for.
    ///
    /// @param active whether its job is
    static List<Effect> ofAsked(Task task, Asked asked, boolean active) {
        var effects = new ArrayList<Effect>();
        if (active) {
            effects.add(new Effect.AwaitAnswer(asked.effect(), task.id(), asked.question()));
        }
        asked.deadline().ifPresent(alarm -> effects.add(wake(task, alarm)));
        return effects;
    }

    /// What the second attempt of a task asks for.
    static List<Effect> ofHedge(Task task, JobSpec job) {
        if (task.hedge().isEmpty()) {
            return List.of();
        }
        return switch (task.hedge().get()) {
            case Hedge.Due(var alarm) -> List.of(wake(task, alarm));
            case Hedge.Second(Delivery.Leased leased) -> ofLeased(task, leased, job);
            case Hedge.Second(Delivery.Parked _), Hedge.Second(Delivery.Unanswered _) ->
                    throw new IllegalStateException("a second attempt asks nothing: " + task);
            case Hedge.Second(Delivery.Queued queued) ->
                    List.of(
                            new Effect.Offer(
                                    queued.offer(),
                                    task.id(),
                                    queued.attempt(),
                                    TaskOutline.of(
                                            job.blueprint().name(),
                                            task.spec()
                                                    .demanding(demand ->
                                                            demand.afterFailure(
                                                                    Exclusion.NEVER_AGAIN))),
                                    job.options().priority(),
                                    job.client(),
                                    task.opened(),
                                    queued.notBefore(),
                                    notAgain(task)));
        };
    }

    /// Not the worker that has the first attempt, nor any on which it has failed if it is never to go there again.
    private static List<WorkerId> notAgain(Task task) {
        var workers = new ArrayList<WorkerId>();
        if (task.spec().demand().choice().exclusion() == Exclusion.NEVER_AGAIN) {
            workers.addAll(task.failedOn());
        }
        task.worker().filter(worker -> !workers.contains(worker)).ifPresent(workers::add);
        return workers;
    }

    /// What a task in doubt asks for while its job is active.
    static Effect.AwaitVerdict ofDoubtful(Task task, Task.Doubtful doubt) {
        return new Effect.AwaitVerdict(doubt.effect(), task.id(), doubt.reason());
    }

    static Effect.Revoke ofRevoked(Task task, Task.Revoked revoked, JobSpec job) {
        return new Effect.Revoke(
                revoked.revoke(), task.id(), revoked.lease(), task.spec(), job.blueprint().name());
    }

    static Effect.WakeAt ofDeadline(Alarm alarm) {
        return new Effect.WakeAt(alarm.id(), alarm.at(), new Waking.JobDeadline());
    }

    static Effect.WakeAt ofGrace(Alarm alarm) {
        return new Effect.WakeAt(alarm.id(), alarm.at(), new Waking.CancelGrace());
    }

    static Optional<Effect> ofPhase(Job.Phase phase) {
        return switch (phase) {
            case Job.Cancelling(var _, var grace) ->
                    Optional.of(
                            new Effect.WakeAt(grace.id(), grace.at(), new Waking.CancelGrace()));
            case Job.Quarantined(var reason, var person) ->
                    Optional.of(new Effect.AwaitPerson(person, reason));
            case Job.Active _, Job.Ended _ -> Optional.empty();
        };
    }

    /// Hands all that `job` asks for to `sink`, in a defined order.
    static void pending(Job job, Consumer<Effect> sink) {
        var active = job.phase() instanceof Job.Active;
        ofPhase(job.phase()).ifPresent(sink);
        job.deadline().map(Effects::ofDeadline).ifPresent(sink);
        job.undo().running().flatMap(Undo.Running::grace).map(Effects::ofGrace).ifPresent(sink);
        if (active) {
            job.strands().forEach(strand -> ofStrand(strand).forEach(sink));
        }
        for (var task : job.tasks()) {
            if (task.state() instanceof Task.Open(var delivery, int _, var _)) {
                switch (delivery) {
                    case Delivery.Queued queued when active ->
                            ofQueued(task, queued, job.spec()).forEach(sink);
                    case Delivery.Queued _ -> {}
                    case Delivery.Leased leased -> ofLeased(task, leased, job.spec()).forEach(sink);
                    case Delivery.Parked parked -> sink.accept(ofParked(task, parked));
                    case Delivery.Unanswered _ -> {}
                }
                delivery.asked().ifPresent(asked -> ofAsked(task, asked, active).forEach(sink));
            }
            ofHedge(task, job.spec()).forEach(sink);
            if (active && task.state() instanceof Task.Doubtful doubt) {
                sink.accept(ofDoubtful(task, doubt));
            }
            task.lingering().forEach(revoked -> sink.accept(ofRevoked(task, revoked, job.spec())));
        }
        FamilyEffects.pending(job, sink);
        job.notices()
                .pending()
                .forEach(notice -> sink.accept(new Effect.CallWebhook(notice.id(), notice)));
    }

    private static Effect.WakeAt wake(Strand strand, Alarm alarm) {
        return new Effect.WakeAt(alarm.id(), alarm.at(), new Waking.StrandAlarm(strand.id()));
    }

    private static Effect.WakeAt wake(Task task, Alarm alarm) {
        return new Effect.WakeAt(alarm.id(), alarm.at(), new Waking.TaskAlarm(task.id()));
    }
}
