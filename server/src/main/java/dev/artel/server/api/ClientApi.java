package dev.artel.server.api;

import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.server.access.Access;
import dev.artel.server.approval.ApprovalLinks;
import dev.artel.server.feed.Feeds;
import io.javalin.config.RoutesConfig;
import java.time.InstantSource;
import java.util.List;

/// What clients ask for: submitting, finding, watching and cancelling jobs, and what the definitions are like.
public final class ClientApi {
    private static final List<String> PREFIXES = List.of("/api/v1", "/api");

    private final Doorkeeper doorkeeper;
    private final SubmitRoutes submitting;
    private final JobRoutes jobs;
    private final ListRoutes lists;
    private final BlueprintRoutes blueprints;
    private final SignalRoutes signals;
    private final ApprovalRoutes approvals;
    private final VerdictRoutes verdicts;
    private final QuarantineRoutes quarantine;
    private final QuestionRoutes questions;
    private final ForkRoutes forks;
    private final StreamRoutes streams;
    private final WebhookRoutes webhooks;
    private final UnreadableRoutes unreadable;
    private final StuckRoutes stuck;

    /// What the API needs of the orchestrator.
    ///
    /// @param maxBodyBytes larger bodies are refused; those with several jobs may have eight times as much
    public record Parts(
            Lifecycle lifecycle,
            EventStore store,
            PayloadStore payloads,
            ProgressBoard progress,
            Access access,
            ApprovalLinks links,
            Feeds feeds,
            int maxBodyBytes,
            InstantSource clock) {}

    /// The API of an orchestrator.
    public ClientApi(Parts parts) {
        doorkeeper = new Doorkeeper(parts.access());
        var values = new Values(parts.payloads());
        var visible = new VisibleJobs(parts.store());
        submitting =
                new SubmitRoutes(
                        parts.lifecycle(), doorkeeper, parts.maxBodyBytes(), parts.clock());
        jobs =
                new JobRoutes(
                        parts.lifecycle(),
                        parts.store(),
                        visible,
                        values,
                        parts.payloads(),
                        parts.progress(),
                        parts.links());
        lists = new ListRoutes(parts.lifecycle(), parts.store());
        blueprints = new BlueprintRoutes(parts.lifecycle());
        signals = new SignalRoutes(parts.lifecycle(), visible, parts.maxBodyBytes());
        quarantine = new QuarantineRoutes(parts.lifecycle(), visible, lists, parts.maxBodyBytes());
        forks = new ForkRoutes(parts.lifecycle(), doorkeeper, visible, parts.maxBodyBytes());
        verdicts = new VerdictRoutes(parts.lifecycle(), visible, parts.maxBodyBytes());
        questions = new QuestionRoutes(parts.lifecycle(), visible, parts.store());
        approvals = new ApprovalRoutes(parts.lifecycle(), doorkeeper, parts.links(), parts.store());
        unreadable = new UnreadableRoutes(parts.lifecycle(), parts.store());
        stuck = new StuckRoutes(parts.lifecycle(), parts.store());
        webhooks = new WebhookRoutes(parts.lifecycle(), doorkeeper, visible, parts.maxBodyBytes());
        streams = new StreamRoutes(parts.lifecycle(), visible, parts.feeds(), values);
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        routes.post("/api/v1/jobs/{name}", doorkeeper.known(submitting::submitData));
        routes.post("/api/jobs/{name}", doorkeeper.known(submitting::submitAsOfOld));
        for (var prefix : PREFIXES) {
            routes.post(prefix + "/jobs", doorkeeper.known(submitting::submit));
            routes.post(prefix + "/bulk", doorkeeper.known(submitting::submitAll));
            routes.get(prefix + "/jobs", doorkeeper.known(lists::list));
            routes.get(prefix + "/dashboard", doorkeeper.known(lists::dashboard));
            routes.get(prefix + "/jobs/{id}", doorkeeper.known(jobs::find));
            routes.post(prefix + "/jobs/{id}/cancel", doorkeeper.known(jobs::cancel));
            routes.post(prefix + "/jobs/{id}/signals/{signal}", doorkeeper.known(signals::send));
            routes.post(
                    prefix + "/jobs/{id}/tasks/{task}/resolve",
                    doorkeeper.known(verdicts::resolve));
            routes.post(prefix + "/jobs/{id}/fork", doorkeeper.known(forks::fork));
            routes.post(prefix + "/jobs/{id}/rewind", doorkeeper.known(quarantine::rewind));
            routes.get(prefix + "/quarantine", doorkeeper.known(lists::workplace));
            routes.post(prefix + "/quarantine/{act}", doorkeeper.known(quarantine::mendAll));
            routes.post(prefix + "/jobs/{id}/quarantine/{act}", doorkeeper.known(quarantine::mend));
            routes.get(prefix + "/jobs/{id}/approvals", doorkeeper.known(approvals::list));
            routes.post(
                    prefix + "/jobs/{id}/approvals/{approval}",
                    doorkeeper.known(approvals::decide));
            routes.get(prefix + "/jobs/{id}/questions", doorkeeper.known(questions::list));
            routes.post(
                    prefix + "/jobs/{id}/questions/{question}",
                    doorkeeper.known(questions::answer));
            routes.get(prefix + "/jobs/{id}/history", doorkeeper.known(jobs::history));
            routes.get(prefix + "/jobs/{id}/values/{sha256}", doorkeeper.known(jobs::value));
            routes.get(prefix + "/jobs/{id}/tasks/{task}", doorkeeper.known(jobs::task));
            routes.get(prefix + "/jobs/{id}/tasks/{task}/why", doorkeeper.known(jobs::why));
            routes.get(prefix + "/jobs/{id}/explain", doorkeeper.known(jobs::explain));
            routes.get(prefix + "/jobs/{id}/logs", doorkeeper.known(jobs::logs));
            routes.get(prefix + "/jobs/{id}/tasks/{task}/logs", doorkeeper.known(jobs::taskLogs));
            routes.get(prefix + "/jobs/{id}/events", doorkeeper.known(streams::ofJob));
            routes.get(prefix + "/jobs/{id}/webhooks", doorkeeper.known(webhooks::ofJob));
            routes.post(
                    prefix + "/jobs/{id}/webhooks/{call}/redeliver",
                    doorkeeper.known(webhooks::redeliver));
            routes.get(prefix + "/stuck", doorkeeper.known(stuck::list));
            routes.get(prefix + "/unreadable", doorkeeper.known(unreadable::list));
            routes.get(prefix + "/webhook-secret", doorkeeper.known(webhooks::secret));
            routes.get(prefix + "/webhooks", webhooks::list);
            routes.post(prefix + "/webhooks", webhooks::subscribe);
            routes.get(prefix + "/webhooks/{id}", webhooks::find);
            routes.delete(prefix + "/webhooks/{id}", webhooks::unsubscribe);
            routes.get(prefix + "/webhooks/{id}/deliveries", webhooks::deliveries);
            routes.get(prefix + "/events", doorkeeper.known(streams::ofAll));
            routes.get(prefix + "/fleet/events", doorkeeper.known(streams::ofFleet));
            routes.get(prefix + "/blueprints", doorkeeper.known(blueprints::list));
            routes.get(prefix + "/blueprints/{name}", doorkeeper.known(blueprints::one));
            routes.get(prefix + "/blueprints/{name}/graph", doorkeeper.known(blueprints::graph));
        }
        routes.post("/_public/webhooks/approval/{id}", approvals::decideByToken);
        routes.get("/_public/webhooks/approval/{id}", approvals::questionByToken);
        routes.get("/_public/jobs/quarantined", doorkeeper.known(lists::quarantined));
    }
}
