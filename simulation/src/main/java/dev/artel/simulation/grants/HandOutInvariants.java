package dev.artel.simulation.grants;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Judges how long a task whose lease is durable waits for the rest of the answer with which its worker receives it.
public final class HandOutInvariants {
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final World world;
    private final Set<LeaseToken> granted = new HashSet<>();
    private final Map<LeaseToken, Instant> ready = new LinkedHashMap<>();

    /// The coordinator of `world` has granted nothing yet.
    public HandOutInvariants(World world) {
        this.world = world;
    }

    /// The coordinator is about to take `input` in.
    ///
    /// @param now by the clock that never jumps
    public void before(CoordinatorInput input, Instant now) {
        switch (input) {
            case CoordinatorInput.Effects(var _, var asked, var ended) -> {
                for (var effect : ended) {
                    if (effect instanceof Effect.HoldLease hold) {
                        over(hold.lease().token());
                    }
                }
                hold(asked, now);
            }
            case CoordinatorInput.AllPending(var job, var pending) -> {
                keepOnly(job, pending);
                hold(pending, now);
            }
            case CoordinatorInput.GrantLapsed(var token) -> granted.remove(token);
            default -> {
                // makes no lease durable
            }
        }
    }

    private void hold(Collection<? extends Effect> effects, Instant now) {
        for (var effect : effects) {
            if (effect instanceof Effect.HoldLease hold && granted.remove(hold.lease().token())) {
                ready.put(hold.lease().token(), now);
            } else if (effect instanceof Effect.Revoke revoke) {
                over(revoke.lease().token());
            }
        }
    }

    private void keepOnly(JobId job, Collection<? extends Effect> pending) {
        var held = new HashSet<LeaseToken>();
        for (var effect : pending) {
            if (effect instanceof Effect.HoldLease hold) {
                held.add(hold.lease().token());
            }
        }
        ready.keySet()
                .removeIf(token ->
                        !held.contains(token)
                                && token.address()
                                        .filter(address -> address.job().equals(job))
                                        .isPresent());
    }

    private void over(LeaseToken token) {
        granted.remove(token);
        ready.remove(token);
    }

    /// The coordinator has put out `output`.
    public void sends(CoordinatorOutput output) {
        switch (output) {
            case CoordinatorOutput.Command(var _, JobCommand.Grant grant) ->
                    granted.add(grant.token());
            case CoordinatorOutput.Reserved(var _, var grants) ->
                    grants.forEach(grant -> granted.add(grant.token()));
            case CoordinatorOutput.Command(var _, JobCommand.EndLease end) -> over(end.token());
            case CoordinatorOutput.HandOuts(long _, var _, var tasks) ->
                    tasks.forEach(task -> over(task.lease().token()));
            default -> {
                // hands out nothing
            }
        }
    }

    /// The coordinator has taken `input` in.
    ///
    /// @param now by the clock that never jumps
    public void after(CoordinatorInput input, Instant now) {
        if (input instanceof CoordinatorInput.Tick) {
            ready.forEach((token, since) -> {
                if (!since.plus(LONGEST).isAfter(now)) {
                    throw world.failure(
                            "lease "
                                    + token
                                    + " is durable since "
                                    + since
                                    + ", and its task is not handed out");
                }
            });
        }
    }
}
