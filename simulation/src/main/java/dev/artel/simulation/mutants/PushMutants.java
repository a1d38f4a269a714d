package dev.artel.simulation.mutants;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.protocol.TaskResult;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Where planted bugs harm the channels over which tasks are pushed.
public final class PushMutants {
    private final World world;
    private final Map<Long, WorkerId> workers = new HashMap<>();
    private final Map<WorkerId, SessionOutput.PushTasks> last = new HashMap<>();

    /// To whom each token was pushed.
    private final Map<String, WorkerId> holders = new HashMap<>();

    public PushMutants(World world) {
        this.world = world;
    }

    /// Whether the conversation with workers does not learn that a connection is over.
    public boolean hidesEnd() {
        return world.has(Mutant.CHANNEL_END_UNHEARD);
    }

    /// The time by which the conversation reckons.
    public Instant now() {
        return world.has(Mutant.AGES_BY_WALL_CLOCK) ? world.now() : world.steadyNow();
    }

    /// When the conversation takes `input` in, by its own clock.
    public Instant at(SessionInput input) {
        if (input instanceof SessionInput.Tick && world.has(Mutant.ACCEPTANCE_CUT_SHORT)) {
            return now().plusMillis(1);
        }
        if (input instanceof SessionInput.Tick && world.has(Mutant.ACCEPTANCE_PROLONGED)) {
            return now().minusMillis(1);
        }
        return now();
    }

    /// What the conversation takes `input` for.
    public SessionInput input(SessionInput input) {
        return switch (input) {
            case SessionInput.ChannelOpened opened -> {
                workers.put(opened.socket(), opened.worker());
                yield input;
            }
            case SessionInput.TasksAccepted(long socket, var tokens)
                    when world.has(Mutant.UNKNOWN_TASK_THROWS) -> {
                if (tokens.stream().anyMatch(token -> token.address().isEmpty())) {
                    throw new IllegalStateException("channel " + socket + ": no task " + tokens);
                }
                yield input;
            }
            case SessionInput.TasksAccepted(long _, var tokens)
                    when world.has(Mutant.ACCEPTED_BY_STRANGERS) ->
                    new SessionInput.TasksAccepted(socketOf(tokens), tokens);
            case SessionInput.Said(long request, var worker, TaskResult result)
                    when world.has(Mutant.REPORTED_BY_STRANGERS) ->
                    asHolder(request, worker, result);
            case SessionInput.Held(var task)
                    when world.has(Mutant.PROCESSES_CONFUSED)
                            || world.has(Mutant.REPEATED_BLINDLY) ->
                    new SessionInput.Held(confused(task));
            case SessionInput _ -> input;
        };
    }

    private HandOut confused(HandOut task) {
        var lease = task.lease();
        var isConfused = world.has(Mutant.PROCESSES_CONFUSED);
        return new HandOut(
                task.job(),
                task.task(),
                isConfused
                        ? new Lease(lease.token(), lease.worker(), lease.attempt(), lease.timeout())
                        : lease,
                isConfused ? task.spec() : TaskSpec.of(task.spec().type(), JsonObject.EMPTY),
                task.priority(),
                task.trace(),
                task.answers());
    }

    private SessionInput asHolder(long request, WorkerId worker, TaskResult result) {
        var holder = holders.getOrDefault(result.lease(), worker);
        return new SessionInput.Said(
                request,
                holder,
                new TaskResult(
                        result.jobId(),
                        result.taskId(),
                        holder.value(),
                        result.leaseToken(),
                        result.outcome()));
    }

    private long socketOf(List<LeaseToken> tokens) {
        var holder = tokens.isEmpty() ? null : holders.get(tokens.getFirst().value());
        return workers.entrySet().stream()
                .filter(it -> it.getValue().equals(holder))
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(0);
    }

    /// What becomes of the outputs of `input`.
    public List<SessionOutput> outputs(SessionInput input, List<SessionOutput> outputs) {
        if (world.has(Mutant.ACCEPTED_BY_STRANGERS) || world.has(Mutant.REPORTED_BY_STRANGERS)) {
            remember(outputs);
        }
        return switch (input) {
            case SessionInput.Tick _ when world.has(Mutant.UNACCEPTED_KEPT) ->
                    without(PushMutants::isUnaccepted, outputs);
            case SessionInput.SocketClosed(long socket)
                    when world.has(Mutant.UNACCEPTED_RETURNED_WITH_CHANNEL) ->
                    returned(socket, outputs);
            case SessionInput _ when world.has(Mutant.UNACCEPTED_RETURNED_WITH_CHANNEL) ->
                    remember(outputs);
            case SessionInput _ when world.has(Mutant.REPEATED_AS_OTHERS) ->
                    outputs.stream().map(PushMutants::asOthers).toList();
            case SessionInput.Tick _ when world.has(Mutant.SILENCE_UNNOTICED) ->
                    without(output -> output instanceof SessionOutput.Left, outputs);
            case SessionInput.ChannelOpened _, SessionInput.SocketClosed _
                    when world.has(Mutant.UNACCEPTED_FORGOTTEN_WITH_CHANNEL) ->
                    without(PushMutants::isUnaccepted, outputs);
            case SessionInput.ChannelOpened _ when world.has(Mutant.REPLACED_CHANNEL_LEFT_OPEN) ->
                    without(output -> output instanceof SessionOutput.CloseSocket, outputs);
            case SessionInput.SocketClosed _ when world.has(Mutant.STAYS_WITHOUT_CHANNEL) ->
                    without(output -> output instanceof SessionOutput.Left, outputs);
            case SessionInput.SocketClosed _ when world.has(Mutant.LEFT_TWICE) ->
                    twice(output -> output instanceof SessionOutput.Left, outputs);
            case SessionInput.ChannelOpened opened when world.has(Mutant.PUSHED_AGAIN) ->
                    again(opened, outputs);
            case SessionInput _ when world.has(Mutant.PUSHED_AGAIN) -> remember(outputs);
            case SessionInput _ when world.has(Mutant.UNACCEPTED_DOUBT_FORGOTTEN) ->
                    outputs.stream().map(PushMutants::doubtless).toList();
            case SessionInput _ -> outputs;
        };
    }

    private static List<SessionOutput> without(
            Predicate<SessionOutput> which, List<SessionOutput> outputs) {
        return outputs.stream().filter(which.negate()).toList();
    }

    private static List<SessionOutput> twice(
            Predicate<SessionOutput> which, List<SessionOutput> outputs) {
        return outputs.stream()
                .flatMap(output -> Collections.nCopies(which.test(output) ? 2 : 1, output).stream())
                .toList();
    }

    private static boolean isUnaccepted(SessionOutput output) {
        return output instanceof SessionOutput.End(var _, var reason)
                && (reason == LeaseEnd.Returned.NOT_RECEIVED
                        || reason == LeaseEnd.Lost.UNCONFIRMED);
    }

    private static SessionOutput doubtless(SessionOutput output) {
        return output instanceof SessionOutput.End(var token, var reason)
                        && reason == LeaseEnd.Lost.UNCONFIRMED
                ? new SessionOutput.End(token, LeaseEnd.Returned.NOT_RECEIVED)
                : output;
    }

    private List<SessionOutput> again(
            SessionInput.ChannelOpened opened, List<SessionOutput> outputs) {
        var before = last.get(opened.worker());
        var more = new ArrayList<>(outputs);
        if (before != null) {
            more.add(new SessionOutput.PushTasks(opened.socket(), before.tasks(), before.lease()));
        }
        return more;
    }

    private static SessionOutput asOthers(SessionOutput output) {
        return output instanceof SessionOutput.PushAgain(long socket, var tasks, var lease)
                ? new SessionOutput.PushAgain(
                        socket, tasks.stream().map(PushMutants::asOther).toList(), lease)
                : output;
    }

    private static HandOut asOther(HandOut task) {
        var lease = task.lease();
        return new HandOut(
                task.job(),
                task.task(),
                new Lease(
                        LeaseToken.mint(task.job(), task.task(), lease.attempt(), 7),
                        lease.worker(),
                        lease.attempt(),
                        lease.timeout()),
                task.spec(),
                task.priority(),
                task.trace(),
                task.answers());
    }

    private List<SessionOutput> returned(long socket, List<SessionOutput> outputs) {
        var before = last.get(workers.get(socket));
        var more = new ArrayList<>(outputs);
        if (before != null) {
            before.tasks()
                    .forEach(task ->
                            more.add(
                                    new SessionOutput.End(
                                            task.lease().token(), LeaseEnd.Returned.NOT_RECEIVED)));
        }
        return more;
    }

    private List<SessionOutput> remember(List<SessionOutput> outputs) {
        for (var output : outputs) {
            if (output instanceof SessionOutput.PushTasks pushes) {
                var worker = pushes.tasks().getFirst().lease().worker();
                last.put(worker, pushes);
                for (var task : pushes.tasks()) {
                    holders.put(task.lease().token().value(), worker);
                }
            }
        }
        return outputs;
    }
}
