package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.session.SessionReply;
import dev.artel.session.SessionSettings;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Judges who counts as there in one process of the orchestrator: each worker that has come leaves once, with a reason; one that
/// is silent leaves in time, and none before its time, by the clock that never jumps.
public final class PresenceInvariants {
    private static final Duration STANDSTILL = Duration.ofSeconds(3);

    /// How much later than its time the silence of a worker is noticed at most, with a tick.
    private static final Duration SWEEPS = Duration.ofSeconds(2);

    private final World world;
    private final SessionSettings settings;
    private final SequencedMap<WorkerId, Heard> heard = new LinkedHashMap<>();
    private final Set<WorkerId> present = new LinkedHashSet<>();
    private final Map<Long, WorkerId> polls = new HashMap<>();
    private final Map<Long, WorkerId> channels = new HashMap<>();

    /// The time of the last tick, or of the first input before there was one; null before that.
    private @Nullable Instant ticked;

    private static final class Heard {
        @Nullable Register registered;

        /// Since when it has been silent, and could have been heard.
        Instant since;

        /// Since when neither a poll nor a channel of it has been open.
        Instant aloneSince;

        /// Whether a poll of it has brought tasks since it came.
        boolean hasPolled;

        /// Whether it has named leases that it wants to keep.
        boolean names;

        Heard(Instant now) {
            since = now;
            aloneSince = now;
        }
    }

    public PresenceInvariants(World world, SessionSettings settings) {
        this.world = world;
        this.settings = settings;
    }

    /// The conversation is about to take `input` in.
    ///
    /// @param now by the clock that never jumps
    public void before(SessionInput input, Instant now) {
        ticked = ticked == null ? now : ticked;
        switch (input) {
            case SessionInput.Recalled(var worker, var words) -> of(worker, now).registered = words;
            case SessionInput.Said(long request, var worker, var message) ->
                    hears(request, worker, message, now);
            case SessionInput.RequestAbandoned(long request) -> answered(request, now);
            case SessionInput.ChannelOpened(long socket, var worker, var _) ->
                    channels.put(socket, worker);
            case SessionInput.Tick(var at) -> {
                if (Duration.between(ticked, at).compareTo(STANDSTILL) > 0) {
                    heard.values().forEach(it -> it.since = later(it.since, at));
                }
                ticked = at;
            }
            case SessionInput _ -> {}
        }
    }

    private void hears(long request, WorkerId worker, WorkerMessage message, Instant now) {
        var one = of(worker, now);
        switch (message) {
            case Register register -> one.registered = register;
            case WorkerMessage.Poll _ -> polls.put(request, worker);
            case WorkerMessage _ -> {}
        }
        if (!(message instanceof Release || message instanceof WorkerMessage.Disconnect)) {
            one.since = now;
        }
    }

    private Heard of(WorkerId worker, Instant now) {
        return heard.computeIfAbsent(worker, _ -> new Heard(now));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /// The conversation has put out `output` with `input`.
    ///
    /// @param now by the clock that never jumps
    public void sends(SessionInput input, SessionOutput output, Instant now) {
        switch (output) {
            case SessionOutput.Reply(long request, var reply) -> {
                var worker = polls.get(request);
                if (worker != null && reply instanceof SessionReply.Tasks) {
                    of(worker, now).hasPolled = true;
                }
                answered(request, now);
            }
            case SessionOutput.Joined(var profile) -> present.add(profile.id());
            case SessionOutput.Left(var worker, var reason) -> {
                if (input instanceof SessionInput.Tick) {
                    checkSilence(worker, now);
                }
                leaves(worker, reason);
            }
            case SessionOutput _ -> {}
        }
    }

    /// What a process before this one knew of a worker that registers anew ends as well.
    private void leaves(WorkerId worker, LeaseEnd reason) {
        var one = heard.get(worker);
        if (one != null) {
            one.names = false;
            one.hasPolled = false;
        }
        if (!present.remove(worker) && reason != LeaseEnd.Lost.WORKER_RESTARTED) {
            throw world.failure(worker + " leaves, and is not there: " + reason);
        }
    }

    private void checkSilence(WorkerId worker, Instant now) {
        var one = heard.get(worker);
        if (one == null || one.since.plus(longest(one)).isAfter(now)) {
            throw world.failure(
                    worker + " is taken for gone before its time; it was heard of " + since(one));
        }
    }

    private static String since(@Nullable Heard one) {
        return one == null ? "never" : "at " + one.since;
    }

    private Duration longest(Heard one) {
        if (!one.names) {
            return settings.silence();
        }
        var wish = one.registered == null ? null : one.registered.wishes().lease();
        return (wish == null ? settings.lease() : wish).plus(settings.grace());
    }

    private void answered(long request, Instant now) {
        var worker = polls.remove(request);
        if (worker != null) {
            of(worker, now).aloneSince = now;
        }
    }

    /// The conversation has taken `input` in, and nothing more follows from it.
    ///
    /// @param now by the clock that never jumps
    public void after(SessionInput input, Instant now) {
        switch (input) {
            case SessionInput.SocketClosed(long socket) -> {
                var worker = channels.remove(socket);
                if (worker != null) {
                    of(worker, now).aloneSince = now;
                }
            }
            case SessionInput.Said(long _, var worker, var message) -> {
                if (present.contains(worker) && namesLeases(message)) {
                    of(worker, now).names = true;
                }
            }
            case SessionInput.Tick(var at) -> present.forEach(worker -> checkThere(worker, at));
            case SessionInput _ -> {}
        }
    }

    private static boolean namesLeases(WorkerMessage message) {
        return message instanceof Renew
                || (message instanceof Heartbeat.Full full && full.currentTasks() != null);
    }

    private void checkThere(WorkerId worker, Instant at) {
        var one = heard.get(worker);
        if (one == null || polls.containsValue(worker) || channels.containsValue(worker)) {
            return;
        }
        var gone = later(one.since.plus(longest(one)), one.aloneSince).plus(SWEEPS);
        if (gone.isBefore(at)) {
            throw world.failure(worker + " counts as there, and was heard of last " + since(one));
        }
    }

    /// Whether `worker` polls, or may have tasks that it has polled.
    boolean livesByPolls(WorkerId worker) {
        var one = heard.get(worker);
        return polls.containsValue(worker) || (one != null && one.hasPolled);
    }

    /// Whether `worker` counts as there.
    boolean isPresent(WorkerId worker) {
        return present.contains(worker);
    }
}
