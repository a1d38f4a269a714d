package dev.artel.client;

import dev.artel.blueprint.BlueprintType;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/// Submits jobs to an orchestrator, waits for them, follows what happens to them and cancels them.
///
/// ```java
/// try (var client = ArtelClient.of(URI.create("http://localhost:8080"), token)) {
///     System.out.println(client.submit(HELLO, new Guest("Ada")).await(Duration.ofMinutes(1)));
/// }
/// ```
///
/// Every call blocks, at most for the total time of its retry policy, and is tried again where that is safe: what is submitted has an
/// idempotency key, so that a lost answer makes no second job. Safe for use by many threads.
public final class ArtelClient implements AutoCloseable {
    /// The orchestrator holds a request no longer than this.
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(30);

    private static final int PAGE = 1000;

    private final HttpTransport httpTransport;

    private ArtelClient(HttpTransport httpTransport) {
        this.httpTransport = httpTransport;
    }

    /// A client of the orchestrator at `uri`, with the default retry policy.
    ///
    /// @param uri where its routes begin, without `/api`
    /// @param token what it knows the client by
    public static ArtelClient of(URI uri, String token) {
        return of(uri, token, ClientRetryPolicy.DEFAULTS);
    }

    /// A client of the orchestrator at `uri`.
    ///
    /// @param uri where its routes begin, without `/api`
    /// @param token what it knows the client by
    public static ArtelClient of(URI uri, String token, ClientRetryPolicy clientRetryPolicy) {
        return new ArtelClient(new HttpTransport(uri, token, clientRetryPolicy, null));
    }

    /// A client of the orchestrator at `uri` that shows a certificate of its own, or trusts others than the Java runtime does.
    ///
    /// @param uri where its routes begin, without `/api`
    /// @param token what it knows the client by; empty where the certificate is enough
    /// @param tls for `https`; without effect on `http`
    public static ArtelClient of(
            URI uri, String token, ClientRetryPolicy clientRetryPolicy, SSLContext tls) {
        return new ArtelClient(new HttpTransport(uri, token, clientRetryPolicy, tls));
    }

    /// Submits a job of the blueprint `type`, which is durable when the call returns.
    ///
    /// @throws ClientException which states what to do next
    public <I, O> JobHandle<O> submit(BlueprintType<I, O> type, I input) {
        return submit(type, input, UnaryOperator.identity());
    }

    /// Submits a job of the blueprint `type`: `submit(TRIP, trip, job -> job.withLabel("agency", "north"))`.
    ///
    /// @throws ClientException which states what to do next
    public <I, O> JobHandle<O> submit(
            BlueprintType<I, O> type, I input, UnaryOperator<JobSubmission> options) {
        return handle(type, submit(options.apply(JobSubmission.of(type, input))));
    }

    /// A job of the blueprint `type` that was submitted before. Asks the orchestrator nothing.
    public <O> JobHandle<O> handle(BlueprintType<?, O> type, JobRef job) {
        return new JobHandle<>(this, type, job);
    }

    /// Submits a job, which is durable when the call returns. Submitting the same [JobSubmission] again gives the same job.
    ///
    /// @throws ClientException which states what to do next
    public JobRef submit(JobSubmission wanted) {
        var attempted = "submitting a job of " + wanted.blueprint();
        var apiResponse =
                httpTransport.done(
                        attempted,
                        "POST",
                        "/api/v1/jobs",
                        JsonText.write(wanted.body()),
                        wanted.headers());
        return new JobRef(
                apiResponse
                        .object(attempted)
                        .string("job_id")
                        .orElseThrow(() ->
                                new ClientException.Failed(
                                        attempted + ": the answer names no job")));
    }

    /// The job as it is now.
    ///
    /// @throws ClientException which states what to do next
    public JobView find(JobRef job) {
        return view(job, "");
    }

    /// The job with some members of its document alone, such as `status` and `labels`: of a large job that is less to read. What is not asked for is not there.
    ///
    /// @throws ClientException which states what to do next
    public JobView find(JobRef job, List<String> fields) {
        return view(job, "?fields=" + String.join(",", fields));
    }

    /// Waits until the job is final.
    ///
    /// @param longest how long to wait
    /// @return the job, final or as it is when the time is over
    /// @throws ClientException which states what to do next
    public JobView awaitFinal(JobRef job, Duration longest) {
        var deadline = System.nanoTime() + longest.toNanos();
        while (true) {
            var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            var hold = left.compareTo(LONGEST_HOLD) < 0 ? left : LONGEST_HOLD;
            var view = view(job, "?wait=" + hold.toMillis() / 1000d);
            if (view.isFinal() || System.nanoTime() >= deadline) {
                return view;
            }
        }
    }

    /// What the job waits for at this moment, and why.
    ///
    /// @throws ClientException which states what to do next
    public ExplanationView explain(JobRef job) {
        var attempted = "explaining job " + job;
        var document =
                httpTransport
                        .done(attempted, "GET", path(job) + "/explain", null)
                        .object(attempted);
        return new ExplanationView(document.string("text").orElse(""), document);
    }

    private JobView view(JobRef job, String query) {
        var attempted = "looking at job " + job;
        return JobView.of(
                httpTransport.done(attempted, "GET", path(job) + query, null).object(attempted));
    }

    /// The secret with which the webhooks are signed that this client's jobs name; see [WebhookSignature].
    ///
    /// @throws ClientException which states what to do next
    public String webhookSecret() {
        var attempted = "asking for the secret of webhooks";
        return httpTransport
                .done(attempted, "GET", "/api/v1/webhook-secret", null)
                .object(attempted)
                .string("secret")
                .orElseThrow(() -> new ClientException.Failed(attempted + ": the answer has none"));
    }

    /// Asks for the end of the job. It ends when its workers have given up, or when its grace is over.
    ///
    /// @throws ClientException.Conflict if it is final already
    /// @throws ClientException which states what to do next
    public void cancel(JobRef job) {
        httpTransport.done("cancelling job " + job, "POST", path(job) + "/cancel", new byte[0]);
    }

    /// Sends the job a signal: something has happened for which it waits, or may wait later.
    ///
    /// @param signal its name, in the words of the blueprint
    /// @param id means something to you, such as the number of a payment: the same id again changes nothing
    /// @throws ClientException.Conflict if the job is final, or the id is that of another signal
    /// @throws ClientException which states what to do next
    public void signal(JobRef job, String signal, String id, JsonValue payload) {
        var body = JsonObject.of("id", JsonValue.of(id), "payload", payload);
        httpTransport.done(
                "sending signal " + signal + " to job " + job,
                "POST",
                path(job) + "/signals/" + encoded(signal),
                JsonText.write(body));
    }

    /// What people are asked to decide about the job, then what no longer waits for a decision.
    ///
    /// @throws ClientException which states what to do next
    public List<ApprovalView> approvals(JobRef job) {
        var attempted = "looking at the approvals of job " + job;
        return all(attempted, path(job) + "/approvals").map(ApprovalView::of).toList();
    }

    /// Decides about an approval of the job, under the name of this client.
    ///
    /// @param approval see [ApprovalView#number]
    /// @param decision one of its choices
    /// @throws ClientException.Conflict if it was decided before, has expired or is no longer wanted
    /// @throws ClientException which states what to do next
    public void decide(JobRef job, long approval, String decision) {
        httpTransport.done(
                "deciding '" + decision + "' about approval " + approval + " of job " + job,
                "POST",
                path(job) + "/approvals/" + approval,
                JsonText.write(JsonObject.of("decision", JsonValue.of(decision))));
    }

    /// What workers want to know before they go on with tasks of the job, then what they were answered.
    ///
    /// @throws ClientException which states what to do next
    public List<QuestionView> questions(JobRef job) {
        var attempted = "looking at the questions of job " + job;
        return all(attempted, path(job) + "/questions").map(QuestionView::of).toList();
    }

    /// Answers a question of a worker, under the name of this client. The same answer again changes nothing.
    ///
    /// @param question see [QuestionView#number]
    /// @param answer one of its choices, if it has any
    /// @throws ClientException.Conflict if it was answered otherwise, has expired or its task no longer waits for it
    /// @throws ClientException which states what to do next
    public void answer(JobRef job, long question, String answer) {
        httpTransport.done(
                "answering question " + question + " of job " + job,
                "POST",
                path(job) + "/questions/" + question,
                JsonText.write(JsonObject.of("answer", JsonValue.of(answer))));
    }

    /// Asks for the end of the job and of all that descend from it, also of those that live by themselves, a thousand with each
    /// request. Those that are final already stay as they are.
    ///
    /// @return what became of them: `done` are those that this call has cancelled, without those that had been before
    /// @throws ClientException which states what to do next; some are cancelled then, and to do it again cancels the others
    public BulkResult cancelTree(JobRef job) {
        return bulk("cancelling the tree of job " + job, path(job) + "/cancel?tree=true", "{}");
    }

    /// The jobs that this one has started, newest first, at most a thousand. They have no data and no result here.
    ///
    /// @throws ClientException which states what to do next
    public List<JobView> children(JobRef job) {
        var attempted = "listing the children of job " + job;
        var parent = URLEncoder.encode(job.id(), StandardCharsets.UTF_8);
        var list = "/api/v1/jobs?parent=" + parent;
        return pages(attempted, list, PAGE).map(JobView::of).toList();
    }

    /// Deletes a job that is over, with all that the orchestrator keeps of it. Its idempotency key is free again.
    ///
    /// @return whether it was there; a lost answer may make this false
    /// @throws ClientException.Conflict if it has not ended, something of it is under way, or its parent has not ended
    /// @throws ClientException which states what to do next
    public boolean delete(JobRef job) {
        return delete("deleting job " + job, path(job));
    }

    /// Deletes a job with all that descend from it, all of which must be over. What is not done can be done again.
    ///
    /// @return whether it was there; a lost answer may make this false
    /// @throws ClientException.Conflict if one of them is not over; then nothing was deleted
    /// @throws ClientException which states what to do next
    public boolean deleteTree(JobRef job) {
        return delete("deleting the tree of job " + job, path(job) + "?tree=true");
    }

    private boolean delete(String attempted, String path) {
        try {
            httpTransport.done(attempted, "DELETE", path, null);
            return true;
        } catch (ClientException.NotFound gone) {
            return false;
        }
    }

    /// Asks for the end of all jobs of `filter` that have not ended, a thousand with each request. Those that are submitted
    /// meanwhile may go on.
    ///
    /// @throws ClientException which states what to do next; some are cancelled then, and to do it again cancels the others
    public BulkResult cancelAll(JobFilter filter) {
        return bulk("cancelling all jobs with " + filter.query(), "cancel?", filter, "{}");
    }

    /// Lets all jobs of `filter` that have not ended stand still, a thousand with each request. Those that are submitted meanwhile may go on.
    ///
    /// @param reason why, for the others; 1 to 2000 characters
    /// @throws ClientException which states what to do next; some are paused then, and to do it again pauses the others
    public BulkResult pauseAll(JobFilter filter, String reason) {
        return bulk(
                "pausing all jobs with " + filter.query(),
                "pause?",
                filter,
                JsonObject.of("reason", JsonValue.of(reason)).toString());
    }

    /// Lets all paused jobs of `filter` go on, also those that a person has paused, a thousand with each request.
    ///
    /// @throws ClientException which states what to do next; some go on then, and to do it again resumes the others
    public BulkResult resumeAll(JobFilter filter) {
        return bulk("resuming all jobs with " + filter.query(), "resume?", filter, "{}");
    }

    /// Counts the jobs that [#cancelAll] and [#signalAll] would reach, and changes nothing.
    ///
    /// @return with how many match, and how many of them have ended
    /// @throws ClientException which states what to do next
    public BulkResult countAll(JobFilter filter) {
        return bulk("counting jobs with " + filter.query(), "cancel?dry_run=true&", filter, "{}");
    }

    /// Sends a signal to all jobs of `filter` that have not ended, a thousand with each request.
    ///
    /// @param signal its name, in the words of the blueprint
    /// @param id the same id again changes nothing in a job that has it
    /// @throws ClientException which states what to do next; some have it then, and to do it again sends it to the others
    public BulkResult signalAll(JobFilter filter, String signal, String id, JsonValue payload) {
        return bulk(
                "sending signal " + signal + " to all jobs with " + filter.query(),
                "signals/" + encoded(signal) + "?",
                filter,
                JsonObject.of("id", JsonValue.of(id), "payload", payload).toString());
    }

    private BulkResult bulk(String attempted, String act, JobFilter filter, String body) {
        return bulk(attempted, "/api/v1/bulk/" + act + filter.query(), body);
    }

    private BulkResult bulk(String attempted, String path, String body) {
        var result = BulkResult.NONE;
        var cursor = "";
        while (true) {
            var page =
                    httpTransport
                            .done(
                                    attempted,
                                    "POST",
                                    path + cursor,
                                    body.getBytes(StandardCharsets.UTF_8))
                            .object(attempted);
            result = result.and(page);
            var next = page.string("next_cursor");
            if (next.isEmpty()) {
                return result;
            }
            cursor = behind(cursor, next.get(), attempted);
        }
    }

    /// All tasks of the job, by their numbers, read page by page.
    ///
    /// @throws ClientException which states what to do next
    public List<TaskView> tasks(JobRef job) {
        var attempted = "listing the tasks of job " + job;
        return all(attempted, path(job) + "/tasks").map(TaskView::of).toList();
    }

    /// The tasks of the job that have the status `status`, by their numbers, read page by page.
    ///
    /// @throws IllegalArgumentException if it is [TaskStatus#UNKNOWN]
    /// @throws ClientException which states what to do next
    public List<TaskView> tasks(JobRef job, TaskStatus status) {
        var attempted = "listing the tasks of job " + job + " that are " + status.word();
        return all(attempted, path(job) + "/tasks?status=" + status.word())
                .map(TaskView::of)
                .toList();
    }

    /// All jobs that this one has started or will start, by their numbers and as this one knows them, read page by page.
    ///
    /// @throws ClientException which states what to do next
    public List<ChildView> allChildren(JobRef job) {
        var attempted = "listing all children of job " + job;
        return all(attempted, path(job) + "/children").map(ChildView::of).toList();
    }

    Stream<JsonObject> all(String attempted, String list) {
        return pages(attempted, list, Integer.MAX_VALUE);
    }

    /// The items of a list, page by page, until there are `enough` or no more.
    Stream<JsonObject> pages(String attempted, String list, int enough) {
        var items = new ArrayList<JsonObject>();
        var path = list + (list.contains("?") ? "&" : "?") + "limit=" + Math.clamp(enough, 1, PAGE);
        var cursor = "";
        while (true) {
            var page = httpTransport.done(attempted, "GET", path + cursor, null).object(attempted);
            page
                    .array("items")
                    .orElseThrow(() ->
                            new ClientException.Failed(attempted + ": the answer has no items"))
                    .stream()
                    .filter(JsonObject.class::isInstance)
                    .forEach(item -> items.add((JsonObject) item));
            var next = page.string("next_cursor");
            if (next.isEmpty() || items.size() >= enough) {
                return items.stream().limit(enough);
            }
            cursor = behind(cursor, next.get(), attempted);
        }
    }

    private static String behind(String cursor, String next, String attempted) {
        var following = "&cursor=" + encoded(next);
        if (following.equals(cursor)) {
            throw new ClientException.Failed(
                    attempted
                            + ": the page behind '"
                            + next
                            + "' names itself as the next one, so that there is no end; ask whether that is an orchestrator");
        }
        return following;
    }

    /// Records that a task in doubt had its effect.
    ///
    /// @param task its number
    /// @param result what its worker would have sent
    /// @throws ClientException.Conflict if it is not in doubt
    /// @throws ClientException which states what to do next
    public void resolveAsHappened(JobRef job, int task, JsonValue result) {
        resolve(job, task, "happened", "result", result);
    }

    /// Records that a task in doubt had no effect: it is done again.
    ///
    /// @param task its number
    /// @throws ClientException.Conflict if it is not in doubt
    /// @throws ClientException which states what to do next
    public void resolveAsNotHappened(JobRef job, int task) {
        resolve(job, task, JsonObject.of("outcome", JsonValue.of("did_not_happen")));
    }

    /// Records that a task in doubt has failed for good.
    ///
    /// @param task its number
    /// @throws ClientException.Conflict if it is not in doubt
    /// @throws ClientException which states what to do next
    public void resolveAsFailed(JobRef job, int task, String reason) {
        resolve(job, task, "failed", "reason", JsonValue.of(reason));
    }

    private void resolve(JobRef job, int task, String outcome, String name, JsonValue value) {
        resolve(job, task, JsonObject.of("outcome", JsonValue.of(outcome), name, value));
    }

    private void resolve(JobRef job, int task, JsonObject body) {
        httpTransport.done(
                "resolving task " + task + " of job " + job,
                "POST",
                path(job) + "/tasks/" + task + "/resolve",
                JsonText.write(body));
    }

    /// The jobs that wait for a person because they could not go on, newest first, at most a thousand. They have no data here;
    /// [JobView#error] states why.
    ///
    /// @throws ClientException which states what to do next
    public List<JobView> quarantined() {
        return quarantined("listing the quarantined jobs", "");
    }

    /// Those of [#quarantined()] that `filter` lets through.
    ///
    /// @throws ClientException which states what to do next
    public List<JobView> quarantined(JobFilter filter) {
        return quarantined(
                "listing the quarantined jobs with " + filter.query(), "?" + filter.query());
    }

    private List<JobView> quarantined(String attempted, String query) {
        return pages(attempted, "/api/v1/quarantine" + query, PAGE).map(JobView::of).toList();
    }

    /// Lets a quarantined job try again what failed: the task, or the handler.
    ///
    /// @throws ClientException.Conflict if it is not quarantined
    /// @throws ClientException which states what to do next
    public void release(JobRef job) {
        resolve(job, "release", JsonObject.EMPTY);
    }

    /// Lets a quarantined job run the handler of its state again.
    ///
    /// @param changes of its data, made before
    /// @throws ClientException.Conflict if it is not quarantined
    /// @throws ClientException which states what to do next
    public void retry(JobRef job, JsonObject changes) {
        resolve(job, "retry", JsonObject.of("data", changes));
    }

    /// Lets a quarantined job go on as if what failed had succeeded.
    ///
    /// @param result added to its data
    /// @throws ClientException.Conflict if it is not quarantined, or it is not defined what follows
    /// @throws ClientException which states what to do next
    public void skip(JobRef job, JsonValue result) {
        resolve(job, "skip", JsonObject.of("result", result));
    }

    /// Ends a quarantined job as failed.
    ///
    /// @throws ClientException.Conflict if it is not quarantined
    /// @throws ClientException which states what to do next
    public void discard(JobRef job, String reason) {
        resolve(job, "discard", JsonObject.of("reason", JsonValue.of(reason)));
    }

    private void resolve(JobRef job, String act, JsonObject body) {
        httpTransport.done(
                "recovery of job " + job + " (" + act + ")",
                "POST",
                path(job) + "/quarantine/" + act,
                JsonText.write(body));
    }

    /// Takes a job that waits or is quarantined back to a state in which it was, with the data of that time. What was done
    /// since and has a compensation is compensated first; the rest remains, and the history of the job lists it.
    ///
    /// @param changes of these data
    /// @throws ClientException.Conflict if it is final, or was never there
    /// @throws ClientException which states what to do next
    public void rewind(JobRef job, String state, JsonObject changes) {
        httpTransport.done(
                "taking job " + job + " back to state " + state,
                "POST",
                path(job) + "/rewind",
                JsonText.write(JsonObject.of("state", JsonValue.of(state), "data", changes)));
    }

    /// Gives a job that lives another priority. Its tasks that wait for a worker wait with the new one from then on; what
    /// workers are at goes on. The same priority again changes nothing.
    ///
    /// @throws ClientException.Conflict if it is over
    /// @throws ClientException which states what to do next
    public void changePriority(JobRef job, double priority) {
        change(job, "priority", JsonObject.of("priority", JsonNumber.of(priority)));
    }

    /// Adds labels to a job that lives, gives some another value and removes some.
    ///
    /// @param labels the labels that it gets; its others stay
    /// @param removed the names of labels that go
    /// @throws ClientException.Conflict if it is over
    /// @throws ClientException which states what to do next
    public void changeLabels(JobRef job, Map<String, String> labels, List<String> removed) {
        var patch = JsonObject.builder();
        removed.forEach(name -> patch.put(name, JsonNull.NULL));
        labels.forEach((name, value) -> patch.put(name, JsonValue.of(value)));
        change(job, "labels", JsonObject.of("labels", patch.build()));
    }

    private void change(JobRef job, String what, JsonObject patch) {
        httpTransport.done(
                "changing the " + what + " of job " + job,
                "PATCH",
                path(job),
                JsonText.write(patch));
    }

    /// Lets a job stand still: no handler of it begins and none of its tasks is handed out until [#resume]. What workers are at
    /// goes on, its results are recorded, and the deadline keeps counting. A job that is paused stays so, for the first reason.
    ///
    /// @throws ClientException.Conflict if it is over, or is being cancelled or compensated
    /// @throws ClientException which states what to do next
    public void pause(JobRef job, String reason) {
        httpTransport.done(
                "pausing job " + job,
                "POST",
                path(job) + "/pause",
                JsonText.write(JsonObject.of("reason", JsonValue.of(reason))));
    }

    /// Lets a paused job go on; timers whose time has come meanwhile go off. A job that is not paused goes on as it is.
    ///
    /// @throws ClientException.Conflict if it is over
    /// @throws ClientException which states what to do next
    public void resume(JobRef job) {
        httpTransport.done(
                "resuming job " + job,
                "POST",
                path(job) + "/resume",
                JsonText.write(JsonObject.EMPTY));
    }

    /// Begins a new job where this one was, also if this one is over, with the data of that time. Results of its tasks are
    /// not worked out again where the inputs are the same.
    ///
    /// @param changes of these data
    /// @throws ClientException.Conflict if it was never there, or its definition is gone
    /// @throws ClientException which states what to do next
    public JobRef fork(JobRef job, String state, JsonObject changes) {
        var attempted = "forking job " + job + " in state " + state;
        var body =
                JsonObject.builder()
                        .put("state", state)
                        .put("data", changes)
                        .put("idempotency_key", UUID.randomUUID().toString())
                        .build();
        var apiResponse =
                httpTransport.done(attempted, "POST", path(job) + "/fork", JsonText.write(body));
        return new JobRef(
                apiResponse
                        .object(attempted)
                        .string("job_id")
                        .orElseThrow(() ->
                                new ClientException.Failed(
                                        attempted + ": the answer names no job")));
    }

    /// What has happened to the job so far, oldest first.
    ///
    /// @throws ClientException which states what to do next
    public List<JobEvent> history(JobRef job) {
        var attempted = "reading the history of job " + job;
        return all(attempted, path(job) + "/history").map(JobEvent::of).toList();
    }

    /// Follows what happens to the job, from its first event to its last. A connection that breaks is taken up where it
    /// broke; nothing is missed and nothing comes twice.
    ///
    /// @throws ClientException which states what to do next; from the iterator as well
    public JobEvents follow(JobRef job) {
        return new JobEvents(httpTransport, path(job) + "/events", "following job " + job, true);
    }

    /// Follows what happens to all jobs that this client may see, from now on; without the users' data. A connection that breaks is taken up
    /// where it broke: nothing is missed, and an event may come twice.
    ///
    /// @throws ClientException which states what to do next; from the iterator as well
    public JobEvents followAll() {
        return new JobEvents(httpTransport, "/api/v1/events", "following all jobs", false).opened();
    }

    /// What operators do; the token must be that of one.
    public ArtelOperator operator() {
        return new ArtelOperator(this, httpTransport);
    }

    /// The documents of the API as they are.
    public ArtelApi api() {
        return new ArtelApi(this, httpTransport);
    }

    /// Whether the orchestrator can be reached and takes jobs. Tried once.
    public boolean isReady() {
        try {
            return httpTransport.once("GET", "/readyz", null).isGood();
        } catch (ClientException.Unreachable e) {
            return false;
        }
    }

    private static String path(JobRef job) {
        return "/api/v1/jobs/" + encoded(job.id());
    }

    /// A part of a path, or of a query.
    ///
    /// @throws IllegalArgumentException if it would lead to another part of the API
    static String encoded(String segment) {
        if (segment.equals(".") || segment.equals("..")) {
            throw new IllegalArgumentException("'" + segment + "' names nothing: it is a path");
        }
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Ends what is in flight.
    @Override
    public void close() {
        httpTransport.close();
    }
}
