package dev.artel.simulation.random;

import dev.artel.json.JsonObject;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEventType;
import dev.artel.simulation.card.ScenarioCards;
import dev.artel.simulation.function.ScenarioFunctions;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Sharing;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Somebody who submits one job, insists as far as that does no harm, and may want it no more.
final class SimulatedClient {
    private static final long TIMEOUT = 35_000;

    private final World world;
    private final Supplier<SimulatedOrchestrator> orchestrator;
    private final Submission submission;
    private @Nullable JobId job;
    private boolean created;
    private boolean settled;
    private int tries;

    SimulatedClient(
            World world,
            Supplier<SimulatedOrchestrator> orchestrator,
            List<String> blueprints,
            int number) {
        this.world = world;
        this.orchestrator = orchestrator;
        var key =
                world.has(Trait.KEYS) && world.chance(0.6)
                        ? Optional.of("k" + number)
                        : Optional.<String>empty();
        var deadline =
                world.has(Trait.JOB_DEADLINES) && world.chance(0.3)
                        ? Optional.of(world.now().plusMillis(world.between(1_000, 200_000)))
                        : Optional.<java.time.Instant>empty();
        submission =
                new Submission(
                        blueprint(world, blueprints),
                        world.has(Trait.SEVERAL_CLIENTS)
                                ? Sharing.CLIENTS.get(
                                        world.random(Trait.SEVERAL_CLIENTS).nextInt(3))
                                : Sharing.ONLY_CLIENT,
                        data(number, key),
                        key,
                        new JobOptions(
                                world.has(Trait.PRIORITIES) ? world.between(0, 2) : 0,
                                deadline,
                                new LinkedHashMap<>(),
                                Optional.empty(),
                                Duration.ofMillis(world.between(0, 20_000)),
                                webhooks(),
                                trace(number)));
    }

    /// One of `blueprints`, or as often a function; in a third of all cases a card.
    private static String blueprint(World world, List<String> blueprints) {
        var picked = noCard(world, blueprints);
        return world.has(Trait.CARDS) && world.random(Trait.CARDS).nextInt(3) == 0
                ? ScenarioCards.NAMES.get(
                        world.random(Trait.CARDS).nextInt(ScenarioCards.NAMES.size()))
                : picked;
    }

    private static String noCard(World world, List<String> blueprints) {
        var picked = world.pick(blueprints);
        if (!world.has(Trait.FUNCTIONS)) {
            return picked;
        }
        var random = world.random(Trait.FUNCTIONS);
        return random.nextBoolean()
                ? picked
                : ScenarioFunctions.NAMES.get(random.nextInt(ScenarioFunctions.NAMES.size()));
    }

    /// Each client has a trace of its own, or none.
    private static Optional<TraceContext> trace(int number) {
        return number % 3 == 0
                ? Optional.empty()
                : TraceContext.read(
                        "00-0af7651916cd43dd8448eb211c80319c-%016x-01".formatted(number), "");
    }

    private List<Webhook> webhooks() {
        if (!world.has(Trait.WEBHOOKS) || world.chance(0.3)) {
            return List.of();
        }
        var own = Webhook.of("https://example.com/hook");
        var other =
                Webhook.subscription(
                        "wh-1", List.of(world.pick(List.of(WebhookEventType.values()))));
        return world.chance(0.5) ? List.of(own) : List.of(own, other);
    }

    private static JsonObject data(int number, Optional<String> key) {
        var data = JsonObject.builder().put("number", number);
        key.ifPresent(text -> data.put(ScriptedNames.KEY, text));
        return data.build();
    }

    boolean isSettled() {
        return settled;
    }

    Optional<JobId> job() {
        return Optional.ofNullable(job);
    }

    void submit() {
        tries++;
        var attempt = tries;
        world.note("client", submission);
        travel(() -> orchestrator.get().submit(submission, reply -> travel(() -> answer(reply))));
        world.loop()
                .after(
                        TIMEOUT,
                        () -> {
                            if (!settled && tries == attempt) {
                                again();
                            }
                        });
    }

    /// To the orchestrator or back, unless it is lost or nobody is there.
    private void travel(Runnable act) {
        if (!world.strikes(Trait.MESSAGES_LOST, 0.05)) {
            world.loop()
                    .after(
                            world.between(0, 5),
                            () -> {
                                if (orchestrator.get().isAlive()) {
                                    act.run();
                                }
                            });
        }
    }

    private void answer(SubmitReply reply) {
        switch (reply) {
            case SubmitReply.Accepted(var id, boolean isNew) -> accepted(id, isNew);
            case SubmitReply.Refused(var _, var detail, var _) ->
                    throw world.failure("a submission is refused: " + detail);
            case SubmitReply.TryLater(var after, var _) -> {
                if (!settled) {
                    world.loop().after(after.toMillis(), this::again);
                }
            }
        }
    }

    /// Without a key, a second submission would be a second job.
    private void again() {
        if (settled) {
            return;
        }
        if (submission.idempotencyKey().isPresent()) {
            submit();
        } else {
            settled = true;
        }
    }

    private void accepted(JobId id, boolean isNew) {
        if (job != null && !job.equals(id)) {
            throw world.failure("one key gave two jobs, " + job + " and " + id);
        }
        if (isNew && created) {
            throw world.failure("job " + id + " was created twice");
        }
        created |= isNew;
        job = id;
        settled = true;
        if (world.has(Trait.CANCELS) && world.chance(0.3)) {
            world.loop().after(world.between(0, 60_000), () -> cancel(id));
        }
    }

    private void cancel(JobId id) {
        travel(() ->
                orchestrator
                        .get()
                        .cancel(
                                id,
                                reply -> {
                                    if (reply instanceof CommandReply.TryLater) {
                                        world.loop().after(1_000, () -> cancel(id));
                                    }
                                }));
    }
}
