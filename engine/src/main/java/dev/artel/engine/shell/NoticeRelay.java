package dev.artel.engine.shell;

import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Notice;
import dev.artel.kernel.job.Webhook;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Hands what jobs have to tell outside to the [Notifier], and what came of it back to the jobs. Safe for use by many
/// threads.
///
/// Until there is a notifier, what jobs have to tell waits here.
final class NoticeRelay {
    private final InstantSource clock;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Map<Call, Waiting> underWay = new ConcurrentHashMap<>();
    private volatile @Nullable Notifier notifier;

    private record Call(JobId job, EffectId effect) {}

    private record Waiting(Notice notice, AtomicBoolean handedOn) {}

    NoticeRelay(InstantSource clock, BiConsumer<JobId, JobCommand> commands) {
        this.clock = clock;
        this.commands = commands;
    }

    void connect(Notifier to) {
        notifier = to;
        underWay.forEach(this::handOn);
    }

    /// Whether there is somebody who tells others outside.
    boolean isConnected() {
        return notifier != null;
    }

    /// Those that are told of a job of `blueprint` are named in its options.
    JobOptions subscribed(JobOptions options, String blueprint) {
        var to = notifier;
        var subscribers = to == null ? List.<Webhook>of() : to.subscribers(blueprint);
        if (subscribers.isEmpty()) {
            return options;
        }
        var all = new ArrayList<>(options.webhooks());
        all.addAll(subscribers);
        return options.withWebhooks(all.subList(0, Math.min(all.size(), Webhook.MOST)));
    }

    /// Has each of `effects` done that is told outside.
    void perform(JobId job, List<Effect> effects) {
        for (var effect : effects) {
            if (effect instanceof Effect.CallWebhook(var id, var notice)) {
                var call = new Call(job, id);
                var waiting = new Waiting(notice, new AtomicBoolean());
                if (underWay.putIfAbsent(call, waiting) == null) {
                    handOn(call, waiting);
                }
            }
        }
    }

    /// Whether a call of a job is under way.
    boolean holds(JobId job, EffectId call) {
        var waiting = underWay.get(new Call(job, call));
        var to = notifier;
        return waiting != null && (to == null || !waiting.handedOn().get() || to.holds(job, call));
    }

    private void handOn(Call call, Waiting waiting) {
        var to = notifier;
        if (to != null && waiting.handedOn().compareAndSet(false, true)) {
            to.deliver(call.job(), waiting.notice(), end -> answered(call, end));
        }
    }

    /// The call is over before the job knows it: should that come to nothing, the job asks for it again.
    private void answered(Call call, Notifier.End end) {
        if (underWay.remove(call) != null) {
            commands.accept(
                    call.job(),
                    new JobCommand.SettleWebhook(
                            call.effect(),
                            end.attempts(),
                            end.problem().map(NoticeRelay::shortened),
                            clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        }
    }

    private static String shortened(String problem) {
        return problem.length() <= 500 ? problem : problem.substring(0, 500) + "...";
    }
}
