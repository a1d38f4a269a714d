package dev.artel.server.api.dashboard;

import dev.artel.access.Caller;
import dev.artel.engine.core.watch.Stall;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.PersonNeed;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.timer.Timer;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Page;
import dev.artel.server.api.http.PageRequest;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;

/// One list of all that people are waited for, and of what is stuck: the oldest first.
public final class NeedsRoutes {
    private static final String STUCK = "stuck";
    private static final List<String> KINDS =
            Stream.concat(
                            Stream.of(PersonNeed.Kind.values()).map(PersonNeed.Kind::word),
                            Stream.of(STUCK))
                    .toList();

    /// So many are looked at for one page.
    private static final int MOST_LOOKED_AT = 10_000;

    /// Stands before the number in a place that does not name the job.
    private static final String NUMBERED = " +";

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final OpenNeeds needs;

    /// Routes that list `needs`.
    public NeedsRoutes(Lifecycle lifecycle, EventStore store, OpenNeeds needs) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.needs = needs;
    }

    /// An item of the list before it is shown.
    private sealed interface Item {
        String key();
    }

    private record Waiting(OpenNeeds.Open open) implements Item {
        @Override
        public String key() {
            return open.key();
        }
    }

    private record Stuck(Stall stall) implements Item {
        @Override
        public String key() {
            return Page.key(stall.since().toEpochMilli())
                    + " "
                    + stall.job()
                    + " "
                    + STUCK
                    + " "
                    + stall.key();
        }
    }

    /// Finds jobs, and keeps the last one alone, whose needs mostly stand together: those of a page may be a thousand.
    private static final class LastJob {
        private final LocalEngine engine;
        private Optional<Job> job = Optional.empty();

        private LastJob(LocalEngine engine) {
            this.engine = engine;
        }

        Optional<Job> find(JobId id) {
            if (job.filter(last -> last.id().equals(id)).isEmpty()) {
                job = engine.find(id);
            }
            return job;
        }
    }

    /// Lists what the caller sees.
    public void list(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var kind = kind(request);
        var asked = PageRequest.of(request, "needs");
        var page = new Page(asked);
        var jobs = new LastJob(engine);
        var waiting = needs.from(since(asked));
        var stuck = stuck(engine, kind);
        Optional<String> last = Optional.empty();
        var looked = 0;
        var time = "";
        var number = 0;
        var head = next(waiting);
        while ((head.isPresent() || !stuck.isEmpty())
                && !page.isFull()
                && looked < MOST_LOOKED_AT) {
            Item item;
            if (head.isEmpty()
                    || (!stuck.isEmpty()
                            && stuck.element().key().compareTo(head.get().key()) < 0)) {
                item = stuck.remove();
            } else {
                item = head.get();
                head = next(waiting);
            }
            number = time(item.key()).equals(time) ? number + 1 : 1;
            time = time(item.key());
            if (asked.behind().isPresent() && !isBehind(asked.behind().get(), item.key(), number)) {
                continue;
            }
            looked++;
            var isSeen =
                    switch (item) {
                        case Waiting(var open) -> {
                            var sees = caller.sees(open.what().client());
                            if (sees && kind.map(open.what().kind().word()::equals).orElse(true)) {
                                shown(open, caller, jobs).ifPresent(page::add);
                            }
                            yield sees;
                        }
                        case Stuck(var stall) -> {
                            var json = shown(stall, caller);
                            json.ifPresent(page::add);
                            yield json.isPresent();
                        }
                    };
            last = Optional.of(isSeen ? item.key() : numbered(time, number));
        }
        page.answer(request, head.isPresent() || !stuck.isEmpty() ? last : Optional.empty());
    }

    private static String time(String key) {
        return key.substring(0, key.indexOf(' '));
    }

    /// A place in the list that does not name the job of another client: `number` counts the items that began in that
    /// millisecond, from 1.
    static String numbered(String time, int number) {
        return time + NUMBERED + number;
    }

    /// Whether the item with `key`, which is the one with `number` of its millisecond, stands behind the place `place`.
    ///
    /// @throws HttpRefusal if that is no place
    static boolean isBehind(String place, String key, int number) {
        if (!place.contains(NUMBERED)) {
            return key.compareTo(place) > 0;
        }
        var order = time(key).compareTo(time(place));
        try {
            return order > 0
                    || (order == 0
                            && number
                                    > Integer.parseInt(
                                            place.substring(
                                                    place.indexOf(NUMBERED) + NUMBERED.length())));
        } catch (NumberFormatException _) {
            throw PageRequest.invalid();
        }
    }

    private static Optional<Waiting> next(Iterator<OpenNeeds.Open> waiting) {
        return waiting.hasNext() ? Optional.of(new Waiting(waiting.next())) : Optional.empty();
    }

    private static Optional<String> kind(Context request) {
        var kind = Optional.ofNullable(request.queryParam("kind"));
        kind.filter(word -> !KINDS.contains(word))
                .ifPresent(word -> {
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid kind parameter",
                            "kind is one of " + KINDS);
                });
        return kind;
    }

    private static Instant since(PageRequest asked) {
        if (asked.behind().isEmpty()) {
            return Instant.EPOCH;
        }
        try {
            var behind = asked.behind().get();
            return Instant.ofEpochMilli(Long.parseLong(behind.substring(0, behind.indexOf(' '))));
        } catch (NumberFormatException | StringIndexOutOfBoundsException _) {
            throw PageRequest.invalid();
        }
    }

    private static Queue<Stuck> stuck(LocalEngine engine, Optional<String> kind) {
        if (kind.filter(word -> !word.equals(STUCK)).isPresent()) {
            return new ArrayDeque<>();
        }
        return new ArrayDeque<>(
                engine.stalls().stream()
                        .map(Stuck::new)
                        .sorted(Comparator.comparing(Stuck::key))
                        .toList());
    }

    private Optional<JsonObject> shown(Stall stall, Caller caller) {
        var row = store.find(stall.job());
        if (!row.map(its -> caller.sees(its.client())).orElseGet(caller::mayOperate)) {
            return Optional.empty();
        }
        var json = JsonObject.builder().put("kind", STUCK).put("job_id", stall.job().value());
        row.ifPresent(its -> json.put("blueprint", its.blueprint()).put("client", its.client()));
        return Optional.of(
                json.put("since", ApiJson.of(stall.since()))
                        .put("text", stall.expected() + "; found: " + stall.found())
                        .put("advice", stall.advice())
                        .build());
    }

    /// Empty where it is over by now.
    private Optional<JsonObject> shown(OpenNeeds.Open open, Caller caller, LastJob jobs) {
        var what = open.what();
        var json =
                JsonObject.builder()
                        .put("kind", what.kind().word())
                        .put("job_id", what.job().value())
                        .put("blueprint", what.blueprint())
                        .put("client", what.client())
                        .put("since", ApiJson.of(open.since()));
        if (what.kind() == PersonNeed.Kind.QUARANTINE) {
            return store.find(what.job())
                    .filter(row -> row.status().equals("quarantined"))
                    .map(row -> json.put("text", row.error().orElse("")).build());
        }
        var job = jobs.find(what.job());
        if (job.isEmpty()) {
            return Optional.empty();
        }
        return switch (what.kind()) {
            case QUARANTINE -> Optional.empty();
            case APPROVAL -> approval(job.get(), what, caller, json);
            case QUESTION -> question(job.get(), what, json);
            case IN_DOUBT -> inDoubt(job.get(), what, json);
            case BUDGET -> budget(job.get(), json);
        };
    }

    private static Optional<JsonObject> budget(Job job, JsonObject.Builder json) {
        return job.budget()
                .flatMap(ledger -> ledger.asking().map(asking -> lacking(ledger, asking)))
                .map(text -> json.put("text", text).build());
    }

    private static String lacking(BudgetLedger ledger, BudgetLedger.Asking asking) {
        var limit = asking.limit();
        return "the next task takes "
                + limit.text(asking.needed().of(limit))
                + ", and the budget of the job has "
                + limit.text(ledger.left().of(limit))
                + " left";
    }

    private static Optional<JsonObject> approval(
            Job job, PersonNeed what, Caller caller, JsonObject.Builder json) {
        for (var branch : job.branches()) {
            if (branch.doing()
                            instanceof Branch.AwaitingApproval(var effect, var approval, var until)
                    && effect.event() == what.number()) {
                json.put("text", approval.message())
                        .put("approval", what.number())
                        .put(
                                "choices",
                                ApiJson.texts(
                                        new ArrayList<>(approval.choices().states().keySet())))
                        .put("may_decide", caller.mayDecide(approval.approvers(), job.spec()));
                if (!approval.approvers().equals(Approvers.ANYBODY)) {
                    json.put("approvers", approval.approvers().text());
                }
                until.map(Timer::at).ifPresent(at -> json.put("expires_at", ApiJson.of(at)));
                return Optional.of(json.build());
            }
        }
        return Optional.empty();
    }

    private static Optional<JsonObject> question(
            Job job, PersonNeed what, JsonObject.Builder json) {
        var task = job.tasks().get(what.task());
        return task.asked()
                .filter(open -> open.number() == what.number())
                .map(open -> {
                    putTask(task, json);
                    json.put("text", open.question().text()).put("question", open.number());
                    if (!open.question().choices().isEmpty()) {
                        json.put("choices", ApiJson.texts(open.question().choices()));
                    }
                    open.deadline()
                            .map(Timer::at)
                            .ifPresent(at -> json.put("expires_at", ApiJson.of(at)));
                    return json.build();
                });
    }

    private static Optional<JsonObject> inDoubt(Job job, PersonNeed what, JsonObject.Builder json) {
        var task = job.tasks().get(what.task());
        if (!(task.state() instanceof Task.Doubtful doubt)) {
            return Optional.empty();
        }
        putTask(task, json);
        return Optional.of(
                json.put("text", doubt.reason())
                        .put("worker", doubt.lease().worker().value())
                        .build());
    }

    private static void putTask(Task task, JsonObject.Builder json) {
        json.put("task", task.id()).put("task_type", task.spec().type());
    }
}
