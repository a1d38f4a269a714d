package dev.artel.server.api.schedules;

import dev.artel.access.AccessControl;
import dev.artel.access.Caller;
import dev.artel.config.Suggestions;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.EventStore;
import dev.artel.schedule.Scheduler;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleRules;
import dev.artel.schedule.rules.TooManyRuns;
import dev.artel.schedule.text.ScheduleReader;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.control.ControlRoutes;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Page;
import dev.artel.server.api.http.PageRequest;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Schedules of clients; operators see and change those of all.
public final class ScheduleRoutes {
    private static final int MOST_INPUT = 256 << 10;
    private static final int MOST_KEY = 200;

    /// What the inputs of a client's schedules take at most: a sixty-fourth part of the heap.
    private static final long MOST_INPUTS = Runtime.getRuntime().maxMemory() / 64;

    /// As many schedules as a client may write, so that there is room for those of others, of the file and of blueprints.
    private static final int MOST_OF_CLIENT = 100;

    /// No page of ticks begins later.
    private static final Instant LATEST = Instant.parse("+1000000-01-01T00:00:00Z");

    private static final Bodies SMALL = new Bodies(16 << 10);

    private final Lifecycle lifecycle;
    private final Supplier<Scheduler> schedules;
    private final ScheduleDocument document;
    private final AccessControl accessControl;
    private final Bodies bodies;
    private final InstantSource clock;

    /// Routes for `schedules`.
    ///
    /// @param maxBodyBytes larger bodies are refused, and those above 256 KiB
    public ScheduleRoutes(
            Lifecycle lifecycle,
            Supplier<Scheduler> schedules,
            EventStore store,
            AccessControl accessControl,
            int maxBodyBytes,
            InstantSource clock) {
        this.lifecycle = lifecycle;
        this.schedules = schedules;
        this.document = new ScheduleDocument(lifecycle, store, accessControl);
        this.accessControl = accessControl;
        this.bodies = new Bodies(Math.min(maxBodyBytes, MOST_INPUT));
        this.clock = clock;
    }

    /// Lists schedules by name.
    public void list(Context request, Caller caller) {
        var now = clock.instant();
        Page.ofAll(
                request,
                "schedules",
                ready().all().stream().filter(view -> sees(caller, view.schedule())),
                view -> view.schedule().name(),
                view -> document.listed(view, now));
    }

    /// Shows one.
    public void find(Context request, Caller caller) {
        Answers.json(request, 200, document.of(visible(request, caller), clock.instant()));
    }

    /// Writes one down, in place of one that is there.
    public void put(Context request, Caller caller) {
        var name = request.pathParam("name");
        var scheduler = ready();
        if (!(bodies.json(request) instanceof JsonObject fields)) {
            throw HttpRefusal.invalidJson("the body must be an object");
        }
        var wanted = read(name, fields, caller);
        var written = scheduler.write(name, before -> checked(wanted, before, scheduler, caller));
        switch (written) {
            case Scheduler.Written.Kept(var view, var isNew, var isChanged) -> {
                if (!isNew && !isChanged) {
                    ApiAuthenticator.changesNothing(request);
                }
                Answers.json(request, isNew ? 201 : 200, document.of(view, clock.instant()));
            }
            case Scheduler.Written.Refused(var reason) -> {
                var isFull = scheduler.all().size() >= Scheduler.MOST && !reason.startsWith("at ");
                throw isFull
                        ? new HttpRefusal(
                                ErrorCode.TOO_MANY_SCHEDULES, "Too many schedules", reason)
                        : invalid(List.of(reason));
            }
        }
    }

    private ScheduleDefinition read(String name, JsonObject fields, Caller caller) {
        var reading =
                ScheduleReader.body(
                        name,
                        fields,
                        new ScheduleReader.Context(
                                ScheduleDefinition.Origin.API,
                                UUID.randomUUID().toString(),
                                caller.name(),
                                ZoneOffset.UTC,
                                ControlRoutes.nameOf(caller),
                                clock.instant()));
        return switch (reading) {
            case ScheduleReader.Reading.Invalid(var problems) -> throw invalid(problems);
            case ScheduleReader.Reading.Read(var schedule) -> {
                checkClient(schedule, caller);
                yield schedule;
            }
        };
    }

    private static HttpRefusal invalid(List<String> problems) {
        return new HttpRefusal(
                ErrorCode.INVALID_BODY, "Invalid schedule", String.join("; ", problems));
    }

    private void checkClient(ScheduleDefinition schedule, Caller caller) {
        var client = schedule.job().client();
        if (!caller.mayChange(client)) {
            throw invalid(
                    List.of(
                            "client must be '"
                                    + caller.name()
                                    + "', was '"
                                    + client
                                    + "': only operators write schedules for others"));
        }
        var as = accessControl.client(client);
        if (as.isEmpty()) {
            throw invalid(
                    List.of(
                            "there is no client '"
                                    + client
                                    + "'; clients are those of clients.toml"
                                    + Suggestions.like(client, List.of(caller.name()))));
        }
        schedule.job()
                .priority()
                .filter(priority -> priority > as.get().maxPriority())
                .ifPresent(priority -> {
                    throw invalid(
                            List.of(
                                    "priority must be at most "
                                            + as.get().maxPriority()
                                            + " for jobs of client "
                                            + client
                                            + ", was "
                                            + priority));
                });
    }

    private static ScheduleDefinition checked(
            ScheduleDefinition wanted,
            Optional<ScheduleDefinition> before,
            Scheduler scheduler,
            Caller caller) {
        if (before.isEmpty() && !caller.mayOperate()) {
            checkRoom(wanted.job().client(), scheduler);
        }
        before.ifPresent(there -> {
            if (!caller.mayChange(there.job().client())) {
                throw new HttpRefusal(
                        ErrorCode.SCHEDULE_TAKEN,
                        "Name taken",
                        "another client has a schedule '"
                                + there.name()
                                + "'; choose another name");
            }
            refuseConfigured(there, "changes");
        });
        checkInputs(wanted, before, scheduler);
        return wanted;
    }

    /// Refuses an input for which there is no memory: those of all schedules are there at any time, and after each start.
    private static void checkInputs(
            ScheduleDefinition wanted, Optional<ScheduleDefinition> before, Scheduler scheduler) {
        var client = wanted.job().client();
        var mine = JsonMemory.bytes(wanted.job().input());
        if (before.filter(there -> JsonMemory.bytes(there.job().input()) >= mine).isPresent()) {
            return;
        }
        var others =
                scheduler.all().stream()
                        .map(Scheduler.View::schedule)
                        .filter(it -> it.job().client().equals(client))
                        .filter(it -> !it.name().equals(wanted.name()))
                        .mapToLong(it -> JsonMemory.bytes(it.job().input()))
                        .sum();
        if (others + mine > MOST_INPUTS) {
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_SCHEDULES,
                    "Too large schedules",
                    "the input takes about %,d KiB of memory, and the other schedules of client '%s' take %,d; those of one client have %,d: make it smaller, or have a handler read what is large"
                            .formatted(mine >> 10, client, others >> 10, MOST_INPUTS >> 10));
        }
    }

    private static void checkRoom(String client, Scheduler scheduler) {
        var there =
                scheduler.all().stream()
                        .map(Scheduler.View::schedule)
                        .filter(it -> it.origin() == ScheduleDefinition.Origin.API)
                        .filter(it -> it.job().client().equals(client))
                        .count();
        if (there >= MOST_OF_CLIENT) {
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_SCHEDULES,
                    "Too many schedules",
                    "client '"
                            + client
                            + "' has "
                            + there
                            + " schedules, and a client writes at most "
                            + MOST_OF_CLIENT
                            + "; delete some, or have an operator write it");
        }
    }

    private static void refuseConfigured(ScheduleDefinition schedule, String how) {
        if (schedule.origin() == ScheduleDefinition.Origin.FILE) {
            throw new HttpRefusal(
                    ErrorCode.SCHEDULE_CONFIGURED,
                    "Schedule is configured",
                    "schedule '"
                            + schedule.name()
                            + "' is in the file of schedules and "
                            + how
                            + " there; pause and resume work here, too");
        }
        if (schedule.origin() == ScheduleDefinition.Origin.CODE && how.equals("changes")) {
            throw new HttpRefusal(
                    ErrorCode.SCHEDULE_CONFIGURED,
                    "Schedule is configured",
                    "schedule '"
                            + schedule.name()
                            + "' is written beside its blueprint and changes there; pause and resume"
                            + " work here, too");
        }
    }

    /// Deletes one; its jobs go on.
    public void delete(Context request, Caller caller) {
        var view = changeable(request, caller);
        refuseConfigured(view.schedule(), "is deleted");
        if (!ready().delete(view.schedule().name())) {
            throw notFound();
        }
        Answers.json(request, 200, status("deleted"));
    }

    /// Nothing of it runs from now on.
    public void pause(Context request, Caller caller) {
        var view = changeable(request, caller);
        var reason = ControlRoutes.reason(request, SMALL);
        answer(
                request,
                view,
                ready().pause(view.schedule().name(), ControlRoutes.nameOf(caller), reason));
    }

    /// It runs again.
    public void resume(Context request, Caller caller) {
        var view = changeable(request, caller);
        var _ = SMALL.objectIfAny(request, List.of());
        answer(request, view, ready().resume(view.schedule().name()));
    }

    /// A job of it runs at once. What arrives again with the same key is the same run.
    public void run(Context request, Caller caller) {
        var view = changeable(request, caller);
        var _ = SMALL.objectIfAny(request, List.of());
        var key = Optional.ofNullable(request.header("Idempotency-Key"));
        key.filter(it -> it.isBlank() || it.length() > MOST_KEY)
                .ifPresent(_ -> {
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid header",
                            "Idempotency-Key must have 1 to " + MOST_KEY + " characters");
                });
        if (key.flatMap(view.state()::requested).isPresent()) {
            ApiAuthenticator.changesNothing(request);
        }
        try {
            var run =
                    ready().runNow(view.schedule().name(), ControlRoutes.nameOf(caller), key)
                            .orElseThrow(ScheduleRoutes::notFound);
            Answers.json(request, 202, document.of(run));
        } catch (TooManyRuns refused) {
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_RUNS, "Too many runs", String.valueOf(refused.getMessage()));
        }
    }

    /// Ticks of the past run.
    public void backfill(Context request, Caller caller) {
        var view = changeable(request, caller);
        var body = SMALL.object(request, List.of("from", "until", "together"));
        var isTogether =
                switch (body.get("together").orElse(JsonBoolean.FALSE)) {
                    case JsonBoolean given -> given == JsonBoolean.TRUE;
                    case JsonValue other ->
                            throw invalidBackfill(
                                    "together must be true or false, was " + other.kind());
                };
        var from = instant(body, "from");
        var until = instant(body, "until");
        try {
            answer(
                    request,
                    202,
                    ready().backfill(
                                    view.schedule().name(),
                                    from,
                                    until,
                                    isTogether,
                                    ControlRoutes.nameOf(caller)));
        } catch (IllegalArgumentException refused) {
            throw invalidBackfill(String.valueOf(refused.getMessage()));
        }
    }

    private static Instant instant(JsonObject body, String name) {
        try {
            if (body.get(name).orElse(null) instanceof JsonString(var text)) {
                return OffsetDateTime.parse(text).toInstant();
            }
        } catch (DateTimeException _) {
            // reported below
        }
        throw invalidBackfill(name + " must be an instant such as 2030-01-31T12:00:00Z");
    }

    private static HttpRefusal invalidBackfill(String detail) {
        return new HttpRefusal(ErrorCode.INVALID_BODY, "Invalid backfill", detail);
    }

    /// Lists the runs that are pending and the last others, newest first.
    public void runs(Context request, Caller caller) {
        var view = visible(request, caller);
        Page.ofAll(
                request,
                "runs of " + view.schedule().name(),
                view.state().runs().stream(),
                run -> Page.key(Long.MAX_VALUE - run.number()),
                document::of);
    }

    /// Lists the next ticks.
    public void next(Context request, Caller caller) {
        var view = visible(request, caller);
        var asked = PageRequest.of(request, "next of " + view.schedule().name());
        var ticks = ticks(view, asked);
        var page = new Page(asked);
        ticks.stream().limit(asked.limit()).forEach(tick -> page.add(ApiJson.of(tick)));
        page.answer(
                request,
                ticks.size() > asked.limit()
                        ? Optional.of(ticks.get(asked.limit() - 1).toString())
                        : Optional.empty());
    }

    private List<Instant> ticks(Scheduler.View view, PageRequest asked) {
        try {
            var from = asked.behind().map(Instant::parse).orElseGet(clock::instant);
            if (from.isBefore(LATEST)) {
                return ScheduleRules.upcoming(
                        view.schedule(), view.state(), from, asked.limit() + 1);
            }
        } catch (DateTimeException | ArithmeticException _) {
            // refused below
        }
        throw PageRequest.invalid();
    }

    /// @param before how it was before it was paused or resumed
    private void answer(Context request, Scheduler.View before, Optional<Scheduler.View> after) {
        if (after.filter(it -> it.state().paused().equals(before.state().paused())).isPresent()) {
            ApiAuthenticator.changesNothing(request);
        }
        answer(request, 200, after);
    }

    private void answer(Context request, int status, Optional<Scheduler.View> view) {
        Answers.json(
                request,
                status,
                document.of(view.orElseThrow(ScheduleRoutes::notFound), clock.instant()));
    }

    private static JsonObject status(String status) {
        return JsonObject.of("status", JsonValue.of(status));
    }

    private Scheduler ready() {
        var _ = lifecycle.engine();
        return schedules.get();
    }

    private static boolean sees(Caller caller, ScheduleDefinition schedule) {
        return caller.sees(schedule.job().client());
    }

    private Scheduler.View visible(Context request, Caller caller) {
        return ready().find(request.pathParam("name"))
                .filter(view -> sees(caller, view.schedule()))
                .orElseThrow(ScheduleRoutes::notFound);
    }

    private Scheduler.View changeable(Context request, Caller caller) {
        return Optional.of(visible(request, caller))
                .filter(view -> caller.mayChange(view.schedule().job().client()))
                .orElseThrow(ScheduleRoutes::notFound);
    }

    private static HttpRefusal notFound() {
        return new HttpRefusal(ErrorCode.SCHEDULE_NOT_FOUND, "Schedule not found");
    }
}
