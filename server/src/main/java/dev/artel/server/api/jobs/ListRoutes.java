package dev.artel.server.api.jobs;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Numbers;
import dev.artel.server.api.http.Page;
import dev.artel.server.api.http.PageRequest;
import dev.artel.server.api.http.Selection;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Finding jobs, and counting them.
public final class ListRoutes {
    private static final String LABEL = "label.";
    private static final String JOBS = "jobs";

    private static final int MAX_TEXT = 200;
    private static final int MAX_LABELS = 10;

    /// See [dev.artel.kernel.job.Job#status].
    private static final List<String> STATUSES =
            List.of(
                    "pending",
                    "running",
                    "awaiting_retry",
                    "waiting_for_worker",
                    "waiting_for_parallel_tasks",
                    "waiting_for_sub_job",
                    "waiting_for_human",
                    "waiting_for_signal",
                    "waiting",
                    "compensating",
                    "quarantined",
                    "finished",
                    "failed",
                    "cancelled");

    private final Lifecycle lifecycle;
    private final EventStore store;

    private final JobCounts counts;

    /// Routes that search the jobs of `store`.
    public ListRoutes(Lifecycle lifecycle, EventStore store, JobCounts counts) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.counts = counts;
    }

    /// Lists the jobs that a filter lets through, newest first.
    public void list(Context request, Caller caller) {
        list(request, filter(request), caller);
    }

    /// The same for clients of the first generation: an array, `offset` leads to the next, and no job has a status that is unknown.
    public void listAsOfOld(Context request, Caller caller) {
        var offset = (int) Numbers.of(request, "offset", 0, 0, JobQuery.MAX_OFFSET);
        var filter = filter(request, parameter(request, "status"));
        var query = JobQuery.of(filter, limit(request)).skipping(offset);
        var page = find(query, caller);
        if (page.isFull() && page.rows().size() < query.limit()) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid limit parameter",
                    "the %d jobs from offset %d on have more than %,d bytes of labels and errors; ask for at most %d at once, or use /api/v1/jobs"
                            .formatted(
                                    query.limit(), offset, JobPage.MOST_BYTES, page.rows().size()));
        }
        Answers.json(
                request,
                200,
                new JsonArray(
                        page.rows().stream().map(row -> (JsonValue) JobDocument.of(row)).toList()));
    }

    /// The jobs that wait for a person because they are not well.
    public void workplace(Context request, Caller caller) {
        list(request, filterOfQuarantined(request), caller);
    }

    private static JobFilter filterOfQuarantined(Context request) {
        var asked = filter(request);
        asked.status()
                .filter(status -> !status.equals("quarantined"))
                .ifPresent(status -> {
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid status parameter",
                            "only quarantined jobs are listed here, and status was '"
                                    + shortened(status)
                                    + "'; leave it out");
                });
        return asked.withStatus("quarantined");
    }

    /// A page of those that may be recovered together.
    public JobPage quarantinedOf(Context request, PageRequest asked, Caller caller) {
        return find(query(asked, filterOfQuarantined(request)), caller);
    }

    /// A page of the jobs that a filter lets through, of which something is to become.
    ///
    /// @throws HttpRefusal if there is no filter: it would be all jobs, and that must not be asked for by leaving something out
    public JobPage ofFilter(Context request, PageRequest asked, Caller caller) {
        var filter = filter(request);
        if (filter.equals(JobFilter.ALL)) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Missing filter",
                    "name which jobs are meant, with at least one of status, blueprint, client,"
                            + " label.NAME, q, from, until and parent");
        }
        return find(query(asked, filter), caller);
    }

    private void list(Context request, JobFilter filter, Caller caller) {
        var wanted = Selection.of(request, JobDocument.ROW_FIELDS);
        var asked = jobs(request);
        var found = find(query(asked, filter), caller);
        var page = new Page(asked);
        found.rows().forEach(row -> page.add(wanted.from(JobDocument.of(row))));
        page.answer(request, found.next());
    }

    /// Which page of a list of jobs `request` asks for.
    public static PageRequest jobs(Context request) {
        return PageRequest.of(request, JOBS);
    }

    /// Which page of jobs `request` means, all of which something is to become of: as many as can be, unless it asks
    /// otherwise.
    public static PageRequest manyJobs(Context request) {
        return PageRequest.of(request, JOBS, PageRequest.MOST);
    }

    private static JobQuery query(PageRequest asked, JobFilter filter) {
        var query = JobQuery.of(filter, asked.limit());
        var place = asked.number();
        return place.isEmpty() ? query : query.belowPlace(place.getAsLong());
    }

    /// What `query` asks for, of the jobs that `caller` sees.
    private JobPage find(JobQuery query, Caller caller) {
        var only = caller.onlyClient();
        if (only.isEmpty()) {
            return store.list(query);
        }
        if (query.filter().client().filter(name -> !name.equals(only.get())).isPresent()) {
            return new JobPage(List.of(), OptionalLong.empty());
        }
        return store.list(
                new JobQuery(
                        query.filter().withClient(only.get()),
                        query.behind(),
                        query.below(),
                        query.offset(),
                        query.limit()));
    }

    private static int limit(Context request) {
        return (int) Numbers.of(request, "limit", PageRequest.DEFAULT, 1, PageRequest.MOST);
    }

    private static JobFilter filter(Context request) {
        return filter(request, status(request));
    }

    private static JobFilter filter(Context request, Optional<String> status) {
        var labels = new LinkedHashMap<String, String>();
        for (var name : request.queryParamMap().keySet()) {
            if (name.startsWith(LABEL) && name.length() > LABEL.length()) {
                labels.put(name.substring(LABEL.length()), parameter(request, name).orElse(""));
            }
        }
        if (labels.size() > MAX_LABELS) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Too many labels",
                    "at most " + MAX_LABELS + " labels can be asked for, got " + labels.size());
        }
        return new JobFilter(
                status,
                parameter(request, "blueprint"),
                parameter(request, "client"),
                labels,
                text(request),
                time(request, "from"),
                time(request, "until"),
                parent(request));
    }

    private static Optional<String> status(Context request) {
        return parameter(request, "status")
                .map(text -> {
                    if (!STATUSES.contains(text)) {
                        throw new HttpRefusal(
                                ErrorCode.INVALID_PARAMETER,
                                "Invalid status parameter",
                                "there is no status '"
                                        + shortened(text)
                                        + "'; there are "
                                        + String.join(", ", STATUSES));
                    }
                    return text;
                });
    }

    private static Optional<JobId> parent(Context request) {
        return parameter(request, "parent")
                .map(text -> {
                    if (!JobId.isValid(text)) {
                        throw new HttpRefusal(
                                ErrorCode.INVALID_PARAMETER,
                                "Invalid parent parameter",
                                "parent is the id of a job, was '" + shortened(text) + "'");
                    }
                    return new JobId(text);
                });
    }

    private static Optional<String> parameter(Context request, String name) {
        return Optional.ofNullable(request.queryParam(name));
    }

    private static Optional<String> text(Context request) {
        var text = parameter(request, "q");
        text.filter(words -> words.isBlank() || words.length() > MAX_TEXT)
                .ifPresent(words -> {
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid q parameter",
                            "q has words of 1 to "
                                    + MAX_TEXT
                                    + " characters altogether, had "
                                    + words.length());
                });
        return text;
    }

    private static Optional<Instant> time(Context request, String name) {
        return parameter(request, name)
                .map(text -> {
                    try {
                        var instant = Instant.parse(text);
                        if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(ApiJson.LATEST)) {
                            return instant;
                        }
                    } catch (DateTimeException _) {
                        // reported below
                    }
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid " + name + " parameter",
                            name
                                    + " is an instant such as 2030-01-31T12:00:00Z, was '"
                                    + shortened(text)
                                    + "'");
                });
    }

    private static String shortened(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }

    /// Counts the jobs that the caller sees, by their status, and the workers.
    public void dashboard(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var jobs = JsonObject.builder().put("queued", engine.queuedTasks());
        counts.of(caller).forEach(jobs::put);
        Answers.json(
                request,
                200,
                JsonObject.of(
                        "workers",
                        JsonObject.of("total", JsonValue.of(lifecycle.workers())),
                        "jobs",
                        jobs.build()));
    }

    /// The ids of the newest jobs that wait for a person, newest first, for clients of the first generation.
    public void quarantined(Context request, Caller caller) {
        var query = JobQuery.of(JobFilter.ALL.withStatus("quarantined"), limit(request));
        Answers.json(
                request,
                200,
                JsonArray.ofStrings(
                        find(query, caller).rows().stream().map(row -> row.id().value()).toList()));
    }
}
