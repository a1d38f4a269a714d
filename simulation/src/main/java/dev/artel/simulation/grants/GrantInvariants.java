package dev.artel.simulation.grants;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.simulation.world.World;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Judges each grant of a coordinator: whether limits, rates and its worker leave room for it, and whether it is its turn.
public final class GrantInvariants implements CoordinatorMirror.Changes {
    private final World world;
    private final Throttle throttle;
    private final FairnessInvariants fairnessInvariants;
    private final IdleHands idleHands;
    private final CoordinatorMirror mirror = new CoordinatorMirror(this);

    /// What a job has asked to be reserved with the input at hand.
    private final Map<EffectId, Effect.Offer> reserving = new HashMap<>();

    private Instant now = Instant.EPOCH;

    public GrantInvariants(World world, DispatchSettings settings) {
        this.world = world;
        throttle = new Throttle(settings);
        fairnessInvariants = new FairnessInvariants(world, settings);
        idleHands = new IdleHands(world, throttle);
    }

    /// The coordinator is about to take `input` in.
    public void before(CoordinatorInput input, Instant now) {
        this.now = now;
        throttle.at(now);
        fairnessInvariants.nextInput();
        reserving.clear();
        if (input instanceof CoordinatorInput.Reserve(var _, var offers)) {
            offers.forEach(offer -> reserving.put(offer.id(), offer));
        }
        if (input instanceof CoordinatorInput.Configured(var settings)) {
            throttle.configure(settings, mirror.tasks());
            fairnessInvariants.configure(settings);
            mirror.offers().forEach(this::limit);
        }
        mirror.before(input);
    }

    /// Other limits may keep what only turns have kept so far.
    private void limit(CoordinatorMirror.Waiting offer) {
        if (offer.plain && !offer.granted && !throttle.isFree(offer.offer.outline())) {
            fairnessInvariants.goes(offer);
            offer.plain = false;
            fairnessInvariants.comes(offer);
        }
    }

    /// The coordinator has put out `output`.
    public void sends(CoordinatorOutput output) {
        switch (output) {
            case CoordinatorOutput.Command(var job, JobCommand.Grant grant) -> grants(job, grant);
            case CoordinatorOutput.Reserved(var job, var grants) ->
                    grants.forEach(grant -> grants(job, grant));
            case CoordinatorOutput.HandOuts(long ask, var _, var _) -> mirror.answered(ask);
            default -> {
                // gives nothing out
            }
        }
    }

    /// The coordinator has taken `input` in.
    public void after(CoordinatorInput input) {
        mirror.after(input);
        if (input instanceof CoordinatorInput.Tick && !world.isWatchedOnly()) {
            idleHands.look(mirror, now, world.steadyNow());
        }
    }

    private void grants(JobId job, JobCommand.Grant grant) {
        var waiting = mirror.granted(job, grant.offer());
        var offer = waiting == null ? reserving.get(grant.offer()) : waiting.offer;
        if (offer == null) {
            throw world.failure("nobody asked for a worker: " + grant + " of job " + job);
        }
        var closed = throttle.closed(offer.outline());
        if (closed != null) {
            throw world.failure(closed + ", and then comes " + grant + " for " + offer);
        }
        if (waiting != null && waiting.plain && !mirror.isNew(waiting)) {
            fairnessInvariants.granted(waiting, mirror.typesOf(grant.worker()));
            // Where the grant does not come to be, it is a pause that keeps the task waiting.
            waiting.plain = false;
        } else if (waiting != null) {
            fairnessInvariants.grantedOtherwise(waiting);
        }
        mirror.takes(job, grant, offer.outline());
        var excess = mirror.excess(grant.worker(), offer.outline());
        if (excess != null) {
            throw world.failure(grant.worker() + " has " + excess + ", with " + grant);
        }
    }

    // What the mirror sees

    @Override
    public void comes(CoordinatorMirror.Waiting offer) {
        offer.plain =
                throttle.isFree(offer.offer.outline())
                        && offer.offer.failedOn().isEmpty()
                        && !offer.offer.notBefore().isAfter(now);
        fairnessInvariants.comes(offer);
        idleHands.comes(offer);
    }

    @Override
    public void goes(CoordinatorMirror.Waiting offer) {
        fairnessInvariants.goes(offer);
        idleHands.goes(offer);
    }

    @Override
    public void takes(TaskOutline task) {
        throttle.take(task);
    }

    @Override
    public void leaves(TaskOutline task, boolean given) {
        if (given) {
            throttle.free(task);
        } else {
            throttle.giveBack(task);
        }
    }
}
