package dev.artel.server.api.access;

import dev.artel.engine.shell.FleetRegistry;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.StuckPart;
import dev.artel.engine.shell.Vitals;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.webhook.Webhooks;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Whether the orchestrator can be asked for something yet, and still. Safe for use by many threads.
public final class Lifecycle {
    private static final Duration LATER = Duration.ofSeconds(1);

    /// A part that is at one thing for so long does not go on by itself.
    private static final Duration DEAD = Duration.ofMinutes(1);

    private static final String STOPPING = "The orchestrator is stopping";

    private final Vitals vitals;
    private final Duration dead;
    private volatile Phase phase = new Starting();

    private sealed interface Phase {}

    private record Starting() implements Phase {}

    /// One that starts.
    ///
    /// @param vitals watches over its parts, from the start on
    public Lifecycle(Vitals vitals) {
        this(vitals, DEAD);
    }

    Lifecycle(Vitals vitals, Duration dead) {
        this.vitals = vitals;
        this.dead = dead;
    }

    /// How many missing definitions are named.
    private static final int REASONS = 5;

    private record Ready(
            LocalEngine engine,
            FleetRegistry fleet,
            Webhooks webhooks,
            Supplier<List<String>> problems)
            implements Phase {}

    private record Stopping() implements Phase {}

    /// Open jobs have been taken up by `engine`.
    ///
    /// @param fleet the book on its workers
    /// @param webhooks sends webhooks
    /// @param problems with what it works with, now
    public void ready(
            LocalEngine engine,
            FleetRegistry fleet,
            Webhooks webhooks,
            Supplier<List<String>> problems) {
        phase = new Ready(engine, fleet, webhooks, problems);
    }

    /// The end has begun.
    public void stopping() {
        var before = phase;
        phase = new Stopping();
        if (before instanceof Ready(var engine, var _, var _, var _)) {
            engine.stopWaiting();
        }
    }

    /// Whether the end has begun.
    public boolean isStopping() {
        return phase instanceof Stopping;
    }

    /// Answers workers whose requests come too late that they have to repeat them.
    ///
    /// @throws RuntimeException the refusal
    public void refuseWhenStopping(Context request) {
        if (isStopping()) {
            request.header("Connection", "close");
            throw HttpRefusal.later(LATER, STOPPING);
        }
    }

    /// Who runs the jobs.
    public LocalEngine engine() {
        return whenReady().engine();
    }

    /// The book on the workers.
    public FleetRegistry fleet() {
        return whenReady().fleet();
    }

    /// Sends webhooks.
    public Webhooks webhooks() {
        return whenReady().webhooks();
    }

    private Ready whenReady() {
        return switch (phase) {
            case Ready ready -> ready;
            case Starting _ ->
                    throw HttpRefusal.later(
                            LATER, "The orchestrator is starting: it takes up its open jobs");
            case Stopping _ -> throw HttpRefusal.later(LATER, STOPPING);
        };
    }

    /// How many workers are there.
    public long workers() {
        return phase instanceof Ready(var _, var fleet, var _, var _) ? fleet.present() : 0;
    }

    /// How many definitions open jobs need that are not there.
    public int missingDefinitions() {
        return phase instanceof Ready(var engine, var _, var _, var _)
                ? engine.missingDefinitions()
                : 0;
    }

    /// Why new jobs cannot be taken; empty if they can.
    public Optional<String> obstacle() {
        return switch (phase) {
            case Starting _ ->
                    Optional.of(
                            "starting: open jobs are being taken up"
                                    + stuck(Duration.ZERO).map(part -> "; " + part).orElse(""));
            case Stopping _ -> Optional.of("stopping");
            case Ready(var engine, var _, var _, var _) ->
                    engine.obstacle().or(() -> stuck(Duration.ZERO));
        };
    }

    private Optional<String> stuck(Duration least) {
        return vitals.stuck().stream()
                .filter(part -> part.since().compareTo(least) >= 0)
                .map(StuckPart::text)
                .findFirst();
    }

    /// Which part of the orchestrator has been stuck for so long that it will not go on by itself; empty if none has.
    public Optional<String> death() {
        return phase instanceof Stopping ? Optional.empty() : stuck(dead);
    }

    /// What is wrong and does not keep it from taking jobs, each in one line.
    public List<String> problems() {
        if (!(phase instanceof Ready(var engine, var _, var _, var known))) {
            return List.of();
        }
        var problems = new ArrayList<>(known.get());
        var unreadable = engine.unreadable().size();
        if (unreadable > 0) {
            problems.add(unreadable + " jobs were set aside; GET /api/v1/unreadable shows which");
        }
        engine.missingReasons(REASONS).forEach(why -> problems.add("jobs are held: " + why));
        return problems;
    }
}
