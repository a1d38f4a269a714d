package dev.artel.server.api.people;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.access.Caller;
import dev.artel.approval.ApprovalLinks;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.timer.Timer;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Numbers;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What people are asked to decide, and what they decide: clients under their name, other people with the token of an
/// approval.
public final class ApprovalRoutes {
    private static final int LARGEST_BODY = 64 * 1024;
    private static final int LONGEST_COMMENT = 2000;
    private static final int LONGEST_NAME = 100;
    private static final Pattern UUID_FORM =
            Pattern.compile("[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}");
    private static final String OPEN = "0.";
    private static final String OVER = "1.";
    private static final List<String> FIELDS = List.of("decision", "comment");
    private static final List<String> PUBLIC_FIELDS =
            List.of("decision", "comment", "name", "token");

    private final Lifecycle lifecycle;
    private final ApiAuthenticator apiAuthenticator;
    private final ApprovalLinks links;
    private final EventStore store;
    private final HeavyRequests heavy;
    private final Bodies bodies = new Bodies(LARGEST_BODY);

    /// Routes for the approvals of all jobs.
    ///
    /// @param heavy whose turns those take who may not see the job
    public ApprovalRoutes(
            Lifecycle lifecycle,
            ApiAuthenticator apiAuthenticator,
            ApprovalLinks links,
            EventStore store,
            HeavyRequests heavy) {
        this.lifecycle = lifecycle;
        this.apiAuthenticator = apiAuthenticator;
        this.links = links;
        this.store = store;
        this.heavy = heavy;
    }

    /// What waits for a decision, then what no longer does. Tokens are for those who may decide. Who may not see the job, and
    /// is named by one of its approvals, gets that one alone.
    public void list(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = store.find(VisibleJobs.idOf(request)).orElseThrow(VisibleJobs::notFound);
        var sees = caller.sees(row.client());
        var job =
                (sees ? JobReading.of(row.id(), engine, store) : readForOthers(row))
                        .orElseThrow(VisibleJobs::notFound)
                        .job();
        var listed = new ArrayList<Listed>();
        for (var effect : Jobs.pending(job)) {
            if (effect instanceof Effect.AwaitApproval open) {
                var mayDecide = caller.mayDecide(open.approval().approvers(), job.spec());
                var json = open(job, open);
                if (mayDecide) {
                    engine.approvalToken(job.id(), open.approval())
                            .ifPresent(token -> json.put("token", token));
                    links.of(job.id(), open.approval()).ifPresent(link -> json.put("link", link));
                }
                if (sees || mayDecide) {
                    listed.add(new Listed(OPEN + Page.key(open.number()), json.build()));
                }
            }
        }
        if (sees) {
            job.approvals()
                    .past()
                    .forEach(past ->
                            listed.add(new Listed(OVER + Page.key(past.number()), over(past))));
        } else if (listed.isEmpty()) {
            throw VisibleJobs.notFound();
        }
        Page.ofAll(request, "approvals", listed.stream(), Listed::key, Listed::shown);
    }

    /// An approval as it is shown.
    ///
    /// @param key what waits for a decision stands first
    private record Listed(String key, JsonObject shown) {}

    /// The job of `row` for a client that may not see it and may be named by one of its approvals; empty if none of them can
    /// name approvers at this moment. What is wrong with the job is not for them.
    private Optional<JobReading> readForOthers(JobRow row) {
        if (row.closed()) {
            return Optional.empty();
        }
        try {
            return JobReading.of(row.id(), lifecycle.engine(), store);
        } catch (StoreException.StoreCorrupt unreadable) {
            return Optional.empty();
        }
    }

    /// The open approvals of `job` about which `caller` may decide, each with its link.
    public static JsonArray asked(Job job, Caller caller, ApprovalLinks links) {
        var asked = new ArrayList<JsonValue>();
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.AwaitingApproval(var wait, var approval, var _)
                    && job.phase() instanceof Job.Active
                    && caller.mayDecide(approval.approvers(), job.spec())) {
                var one =
                        JsonObject.builder()
                                .put("approval", wait.event())
                                .put("message", approval.message());
                links.of(job.id(), approval).ifPresent(link -> one.put("link", link));
                asked.add(one.build());
            }
        }
        return new JsonArray(asked);
    }

    private static JsonObject.Builder open(Job job, Effect.AwaitApproval open) {
        var json =
                JsonObject.builder()
                        .put("approval", open.number())
                        .put("status", "open")
                        .put("branch", open.branch())
                        .put("state", job.branches().get(open.branch()).state())
                        .put("message", open.approval().message())
                        .put("choices", ApiJson.of(open.approval().choices().states()));
        if (!open.approval().approvers().equals(Approvers.ANYBODY)) {
            json.put("approvers", open.approval().approvers().text());
        }
        expiry(job, open).ifPresent(at -> json.put("expires_at", ApiJson.of(at)));
        open.approval().otherwise().ifPresent(state -> json.put("otherwise", state));
        return json;
    }

    private static JsonObject over(Approvals.Past past) {
        var json =
                JsonObject.builder()
                        .put("approval", past.number())
                        .put("branch", past.branch())
                        .put("at", ApiJson.of(past.at()));
        switch (past.end()) {
            case Approvals.Decided(var choice, var by) ->
                    json.put("status", "decided").put("decision", choice).put("by", by);
            case Approvals.Expired _ -> json.put("status", "expired");
            case Approvals.Withdrawn _ -> json.put("status", "withdrawn");
        }
        return json.build();
    }

    /// Decides an approval under the name of the caller, who sees the job or is named by the approval.
    public void decide(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var body = bodies.object(request, FIELDS);
        var decision = decision(body);
        var comment = comment(body);
        var id = VisibleJobs.idOf(request);
        var row = store.find(id);
        var number = Numbers.among(request.pathParam("approval"), Integer.MAX_VALUE);
        if (row.filter(its -> caller.sees(its.client())).isEmpty()) {
            // Also where there is no such job, so that waiting for a turn does not reveal it.
            heavy.run(
                    HeavyRequests.Kind.READ,
                    caller,
                    () -> {
                        if (row.filter(its -> isNamed(caller, its, number)).isEmpty()) {
                            throw VisibleJobs.notFound();
                        }
                    });
        }
        var by = new Approver.OfClient(caller.name(), caller.groups(), number);
        answer(request, decision, engine.decide(id, by, decision, comment));
    }

    /// Whether the open approval `number` of a job of another client is for `caller` to decide.
    private boolean isNamed(Caller caller, JobRow row, long number) {
        return readForOthers(row).stream()
                .map(JobReading::job)
                .anyMatch(job ->
                        Jobs.pending(job).stream()
                                .anyMatch(effect ->
                                        effect instanceof Effect.AwaitApproval open
                                                && open.number() == number
                                                && caller.mayDecide(
                                                        open.approval().approvers(), job.spec())));
    }

    /// The way of those who have no token of a client: the token of the approval must be in the body or in the header
    /// `X-Approval-Token`; not in the query, since addresses are logged.
    public void decideByToken(Context request) {
        apiAuthenticator.admitStranger(request);
        var engine = lifecycle.engine();
        var body = bodies.object(request, PUBLIC_FIELDS);
        var decision = decision(body);
        var comment = comment(body);
        var id = VisibleJobs.idOf(request);
        var name = name(body);
        var known = known(id, token(request, body));
        var by = new Approver.TokenHolder(known.digest(), name);
        answer(request, decision, engine.decide(id, by, decision, comment));
        // After the answer, so that the audit has those alone who had a token that is good.
        request.attribute(ApiAuthenticator.CALLER, by.text());
    }

    /// What the token is for: a page that asks a person needs no more.
    public void questionByToken(Context request) {
        apiAuthenticator.admitStranger(request);
        var id = VisibleJobs.idOf(request);
        var known = known(id, token(request, JsonObject.EMPTY));
        var job = known.job();
        var digest = known.digest();
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.AwaitingApproval open
                    && isIts(digest, open.approval().tokenDigest())) {
                Answers.json(request, 200, question(job, branch.id(), open));
                return;
            }
        }
        for (var past : job.approvals().past()) {
            if (isIts(digest, past.tokenDigest())) {
                var over = over(past).with("job_id", JsonValue.of(id.value()));
                Answers.json(request, 200, over);
                return;
            }
        }
        throw unknown(id);
    }

    /// A job and the digest by which it knows the approval of a token that is good.
    private record Known(Job job, String digest) {}

    /// Looks at the token first: a job is read for those alone who have a token of it.
    private Known known(JobId id, String token) {
        var engine = lifecycle.engine();
        var step = engine.approvalStep(id, token).orElseThrow(() -> unknown(id));
        return heavy.get(
                HeavyRequests.Kind.READ,
                "The link to job " + id,
                () -> {
                    var job = JobReading.of(id, engine, store).orElseThrow(() -> unknown(id)).job();
                    return new Known(job, engine.approvalDigest(job, step));
                });
    }

    /// The same whether there is such a job or not: ids that clients choose by their keys could be guessed. What has not the
    /// form of an id of ours is no job, which reveals nothing.
    private static HttpRefusal unknown(JobId id) {
        if (!UUID_FORM.matcher(id.value()).matches()) {
            return VisibleJobs.notFound();
        }
        return Refusals.of(
                Decision.Reason.UNKNOWN_TOKEN,
                "job " + id + ": the token belongs to no approval of it");
    }

    private static boolean isIts(String digest, Optional<String> tokenDigest) {
        return tokenDigest
                .filter(its ->
                        MessageDigest.isEqual(its.getBytes(US_ASCII), digest.getBytes(US_ASCII)))
                .isPresent();
    }

    private static JsonObject question(Job job, int branch, Branch.AwaitingApproval open) {
        var choices = List.copyOf(open.approval().choices().states().sequencedKeySet());
        var json =
                JsonObject.builder()
                        .put("job_id", job.id().value())
                        .put("approval", open.effect().event())
                        .put("status", job.isFinal() ? "withdrawn" : "open")
                        .put("branch", branch)
                        .put("message", open.approval().message())
                        .put("choices", ApiJson.texts(choices));
        open.deadline().ifPresent(timer -> json.put("expires_at", ApiJson.of(timer.at())));
        return json.build();
    }

    private static Optional<Instant> expiry(Job job, Effect.AwaitApproval open) {
        return job.branches().get(open.branch()).doing()
                        instanceof Branch.AwaitingApproval(var _, var _, var deadline)
                ? deadline.map(Timer::at)
                : Optional.empty();
    }

    private static String token(Context request, JsonObject body) {
        return body.string("token")
                .or(() -> Optional.ofNullable(request.header("X-Approval-Token")))
                .orElseThrow(() ->
                        new HttpRefusal(
                                ErrorCode.UNAUTHENTICATED,
                                "Missing approval token",
                                "a decision needs the token of its approval, in the body as token or"
                                        + " in the header X-Approval-Token"));
    }

    private static void answer(Context request, String decision, CommandReply reply) {
        if (reply instanceof CommandReply.Refused(var reason, var detail)) {
            if (reason == Decision.Reason.NO_SUCH_CHOICE) {
                throw new HttpRefusal(
                        ErrorCode.INVALID_DECISION,
                        "Invalid decision '" + decision + "' for this job",
                        detail);
            }
            if (reason == Decision.Reason.FINAL || reason == Decision.Reason.NOT_AWAITED) {
                throw new HttpRefusal(
                        ErrorCode.JOB_IN_WRONG_STATE,
                        "Job is not in a state that can be approved",
                        detail);
            }
        }
        var _ = Refusals.changed(request, reply);
        Answers.json(
                request,
                200,
                JsonObject.of(
                        "status",
                        JsonValue.of("approval_received"),
                        "job_id",
                        JsonValue.of(request.pathParam("id"))));
    }

    private static String decision(JsonObject body) {
        if (body.get("decision").orElse(null) instanceof JsonString(var choice)) {
            return choice;
        }
        throw new HttpRefusal(ErrorCode.INVALID_BODY, "decision is required in body");
    }

    private static Optional<String> name(JsonObject body) {
        var name = body.string("name").map(String::strip);
        if (name.isEmpty() == body.has("name")
                || name.filter(text ->
                                text.isEmpty()
                                        || text.length() > LONGEST_NAME
                                        || text.chars().anyMatch(Character::isISOControl))
                        .isPresent()) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid name",
                    "name must be a text of 1 to " + LONGEST_NAME + " characters in one line");
        }
        return name;
    }

    private static Optional<String> comment(JsonObject body) {
        var comment = body.string("comment");
        if (comment.isEmpty() == body.has("comment")
                || comment.filter(text -> text.length() > LONGEST_COMMENT).isPresent()) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid comment",
                    "comment must be a text of at most " + LONGEST_COMMENT + " characters");
        }
        return comment;
    }
}
