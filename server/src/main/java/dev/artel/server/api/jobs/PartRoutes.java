package dev.artel.server.api.jobs;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.PersistentVector;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Numbers;
import dev.artel.server.api.http.Page;
import dev.artel.server.api.http.PageRequest;
import dev.artel.server.api.tasks.TaskDocument;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/// All that a job has many of, page by page in the order of their numbers: its tasks, and the jobs that it has started.
///
/// A page costs about as much for a job of a hundred thousand tasks as for one of a hundred, save that a job which is not in
/// memory is read for each page.
public final class PartRoutes {
    /// A page looks at no more of them, so that a filter that lets few through ends in time.
    private static final int LOOKED_AT = 20_000;

    /// For so many tasks a page states why they have no worker yet.
    private static final int REASONS = 100;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;

    /// Routes that read the parts of one job.
    public PartRoutes(Lifecycle lifecycle, EventStore store, VisibleJobs visible) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
    }

    /// Lists the tasks of a job.
    public void tasks(Context request, Caller caller) {
        var status = word(request, "status", TaskDocument.STATUSES);
        var type = parameter(request, "type");
        var branch = Numbers.of(request, "branch", -1, 0, Integer.MAX_VALUE);
        var asked = PageRequest.of(request, "tasks");
        var begin = asked.number();
        var reading = reading(request, caller);
        answer(
                request,
                asked,
                begin,
                reading.job().tasks(),
                task ->
                        status.map(TaskDocument.status(task)::equals).orElse(true)
                                && type.map(task.spec().type()::equals).orElse(true)
                                && (branch < 0 || task.branch() == branch),
                page -> {
                    TaskDocument.Waiting waiting = lifecycle.engine()::whyNotYet;
                    var reasons = waiting.whyNotYet(reading.job(), page.stream(), REASONS);
                    return task ->
                            TaskDocument.summary(task, reading.grantOf(task).orElse(null), reasons);
                });
    }

    /// Lists the jobs that a job has started.
    public void children(Context request, Caller caller) {
        var status = word(request, "status", ChildrenDocument.STATUSES);
        var blueprint = parameter(request, "blueprint");
        var asked = PageRequest.of(request, "children");
        var begin = asked.number();
        var reading = reading(request, caller);
        answer(
                request,
                asked,
                begin,
                reading.job().children().children(),
                child ->
                        status.map(ChildrenDocument.status(child.state())::equals).orElse(true)
                                && blueprint.map(child.spec().blueprint()::equals).orElse(true),
                _ -> ChildrenDocument::of);
    }

    private JobReading reading(Context request, Caller caller) {
        var engine = lifecycle.engine();
        return JobReading.of(visible.idOf(request, caller, engine), engine, store)
                .orElseThrow(VisibleJobs::notFound);
    }

    /// @param documents what shows each item of a page
    private static <T> void answer(
            Context request,
            PageRequest asked,
            OptionalLong begin,
            PersistentVector<T> all,
            Predicate<T> wanted,
            Function<List<T>, Function<T, ? extends JsonValue>> documents) {
        var page = new Page(asked);
        var next = (int) Math.min(begin.orElse(0), all.size());
        var end = Math.min(all.size(), next + LOOKED_AT);
        var found = new ArrayList<Integer>();
        while (next < end && found.size() < page.room()) {
            if (wanted.test(all.get(next))) {
                found.add(next);
            }
            next++;
        }
        var document = documents.apply(found.stream().map(all::get).toList());
        for (var place : found) {
            if (page.isFull()) {
                // It has all the bytes that it may.
                next = place;
                break;
            }
            page.add(document.apply(all.get(place)));
        }
        page.answer(request, next < all.size() ? OptionalLong.of(next) : OptionalLong.empty());
    }

    private static Optional<String> word(Context request, String name, List<String> known) {
        var word = parameter(request, name);
        word.filter(text -> !known.contains(text))
                .ifPresent(text -> {
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid " + name + " parameter",
                            name + " is one of " + String.join(", ", known));
                });
        return word;
    }

    private static Optional<String> parameter(Context request, String name) {
        return Optional.ofNullable(request.queryParam(name));
    }
}
