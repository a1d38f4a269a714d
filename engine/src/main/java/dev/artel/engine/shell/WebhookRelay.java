package dev.artel.engine.shell;

import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEvent;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands the webhook calls of jobs to the [Notifier], and their outcomes back to the jobs. Safe for use by many
/// threads.
///
/// Until there is a notifier, calls wait here. That for which there is no room, here or there, stays in
/// the store, and [WebhookBacklog] takes it up from there later.
final class WebhookRelay {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookRelay.class);

    /// So much waits here for a notifier.
    private static final int MOST = 10_000;

    private final InstantSource clock;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Map<Call, Waiting> underWay = new ConcurrentHashMap<>();
    private final AtomicLong putOffs = new AtomicLong();
    private final AtomicLong settled = new AtomicLong();
    private volatile Runnable onPutOff = () -> {};
    private volatile @Nullable Notifier notifier;

    private record Call(JobId job, EffectId effect) {}

    private record Waiting(String client, WebhookEvent webhookEvent, AtomicBoolean handedOn) {}

    WebhookRelay(InstantSource clock, BiConsumer<JobId, JobCommand> commands) {
        this.clock = clock;
        this.commands = commands;
    }

    void connect(Notifier to) {
        notifier = to;
        underWay.forEach(this::handOn);
    }

    /// Whether there is a notifier.
    boolean isConnected() {
        return notifier != null;
    }

    /// Names the webhooks subscribed to jobs of `blueprint` in the options.
    ///
    /// @param blueprint see [dev.artel.kernel.job.BlueprintRef#group]
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

    /// Has each of `calls` of a job of `client` made.
    void perform(JobId job, String client, List<Effect.CallWebhook> calls) {
        for (var wanted : calls) {
            if (notifier == null && underWay.size() >= MOST) {
                putOff();
                continue;
            }
            var call = new Call(job, wanted.id());
            var waiting = new Waiting(client, wanted.webhookEvent(), new AtomicBoolean());
            if (underWay.putIfAbsent(call, waiting) == null) {
                handOn(call, waiting);
            }
        }
    }

    /// Whether the outbox or the store has a call of a job: the store, if it was put off, though which those are is not known.
    boolean holds(JobId job, EffectId call) {
        var waiting = underWay.get(new Call(job, call));
        if (waiting == null) {
            return isPuttingOff();
        }
        var to = notifier;
        return to == null || !waiting.handedOn().get() || to.holds(job, call);
    }

    /// Whether a call of a job is under way.
    boolean isUnderWay(JobId job, EffectId call) {
        return underWay.containsKey(new Call(job, call));
    }

    /// Whether there is room for a call of `notice` of a job of `client` at this moment.
    boolean hasRoom(String client, WebhookEvent webhookEvent) {
        var to = notifier;
        return to == null ? underWay.size() < MOST : to.hasRoom(client, webhookEvent);
    }

    private void handOn(Call call, Waiting waiting) {
        var to = notifier;
        if (to != null && waiting.handedOn().compareAndSet(false, true)) {
            try {
                to.deliver(
                        call.job(),
                        waiting.client(),
                        waiting.webhookEvent(),
                        reply -> heard(call, reply));
            } catch (RuntimeException bug) {
                LOG.atError()
                        .addKeyValue("job", call.job())
                        .setCause(bug)
                        .log(
                                "a webhook call does not fit into memory; it is loaded from the store later");
                heard(call, new Notifier.NoRoom());
            }
        }
    }

    private void heard(Call call, Notifier.Reply reply) {
        switch (reply) {
            case Notifier.End end -> answered(call, end);
            case Notifier.NoRoom _ -> {
                underWay.remove(call);
                putOff();
            }
        }
    }

    /// Who takes up later what is put off from now on.
    void onPutOff(Runnable wake) {
        onPutOff = wake;
    }

    private void putOff() {
        putOffs.incrementAndGet();
        onPutOff.run();
    }

    /// How often something was put off.
    long putOffs() {
        return putOffs.get();
    }

    /// Whether something that was put off may still wait in the store.
    boolean isPuttingOff() {
        return putOffs.get() != settled.get();
    }

    /// All that was put off until [#putOffs] returned `seen` is under way.
    ///
    /// @return whether nothing was put off since
    boolean settled(long seen) {
        settled.set(seen);
        return !isPuttingOff();
    }

    /// The call is over before the job knows it: should that come to nothing, the job asks for it again.
    private void answered(Call call, Notifier.End end) {
        if (underWay.remove(call) != null) {
            commands.accept(
                    call.job(),
                    new JobCommand.SettleWebhook(
                            call.effect(),
                            end.attempts(),
                            end.problem().map(WebhookRelay::shortened),
                            clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        }
    }

    private static String shortened(String problem) {
        return problem.length() <= 500 ? problem : problem.substring(0, 500) + "...";
    }
}
