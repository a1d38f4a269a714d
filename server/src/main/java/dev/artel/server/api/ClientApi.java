package dev.artel.server.api;

import dev.artel.access.AccessControl;
import dev.artel.access.Shares;
import dev.artel.approval.ApprovalLinks;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.schedule.Scheduler;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.NewJobs;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.blueprints.BlueprintRoutes;
import dev.artel.server.api.control.BulkRoutes;
import dev.artel.server.api.control.CancelRoutes;
import dev.artel.server.api.control.ControlRoutes;
import dev.artel.server.api.control.DeleteRoutes;
import dev.artel.server.api.control.ForkRoutes;
import dev.artel.server.api.control.QuarantineRoutes;
import dev.artel.server.api.control.ResolutionRoutes;
import dev.artel.server.api.control.SignalRoutes;
import dev.artel.server.api.dashboard.NeedsRoutes;
import dev.artel.server.api.dashboard.OpenNeeds;
import dev.artel.server.api.dashboard.Overview;
import dev.artel.server.api.dashboard.OverviewRoutes;
import dev.artel.server.api.figures.StateFigures;
import dev.artel.server.api.history.HistoryRoutes;
import dev.artel.server.api.history.StreamRoutes;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.jobs.JobCounts;
import dev.artel.server.api.jobs.JobRoutes;
import dev.artel.server.api.jobs.ListRoutes;
import dev.artel.server.api.jobs.PartRoutes;
import dev.artel.server.api.jobs.StuckRoutes;
import dev.artel.server.api.jobs.UnreadableRoutes;
import dev.artel.server.api.people.ApprovalRoutes;
import dev.artel.server.api.people.QuestionRoutes;
import dev.artel.server.api.schedules.ScheduleRoutes;
import dev.artel.server.api.submit.SubmissionGate;
import dev.artel.server.api.submit.SubmitRoutes;
import dev.artel.server.api.tasks.ProgressBoard;
import dev.artel.server.api.tasks.TaskRoutes;
import dev.artel.server.api.webhooks.WebhookRoutes;
import dev.artel.server.feed.Broadcast;
import dev.artel.server.feed.Feeds;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;
import java.time.InstantSource;
import java.util.function.Supplier;

/// What clients ask for: submitting, finding, watching and cancelling jobs, and what the definitions are like.
public final class ClientApi {
    private final ApiAuthenticator apiAuthenticator;
    private final HeavyRequests heavy;
    private final SubmitRoutes submitting;
    private final JobRoutes jobs;
    private final CancelRoutes cancels;
    private final HistoryRoutes histories;
    private final TaskRoutes tasks;
    private final PartRoutes parts;
    private final ListRoutes lists;
    private final BulkRoutes many;
    private final DeleteRoutes deletes;
    private final BlueprintRoutes blueprints;
    private final SignalRoutes signals;
    private final ApprovalRoutes approvals;
    private final ResolutionRoutes resolutions;
    private final QuarantineRoutes quarantine;
    private final ControlRoutes control;
    private final QuestionRoutes questions;
    private final ForkRoutes forks;
    private final StreamRoutes streams;
    private final WebhookRoutes webhooks;
    private final UnreadableRoutes unreadable;
    private final StuckRoutes stuck;
    private final OverviewRoutes overview;
    private final NeedsRoutes needs;
    private final ScheduleRoutes schedules;

    /// What the API needs of the orchestrator.
    ///
    /// @param newJobs what new jobs cost their clients
    /// @param gate through which jobs enter
    /// @param schedules when the orchestrator is ready
    /// @param heavy whose turns are those of all routes
    /// @param broadcast sends `overview` to its readers
    /// @param maxBodyBytes larger bodies are refused; those with several jobs may have eight times as much
    /// @param maxWaits how many requests wait for the end of a job at once
    public record Parts(
            Lifecycle lifecycle,
            EventStore store,
            JobCounts counts,
            PayloadStore payloads,
            ProgressBoard progress,
            AccessControl accessControl,
            ApiAuthenticator authenticator,
            NewJobs newJobs,
            SubmissionGate gate,
            Supplier<Scheduler> schedules,
            HeavyRequests heavy,
            ApprovalLinks links,
            Feeds feeds,
            Broadcast broadcast,
            Overview overview,
            OpenNeeds needs,
            StateFigures stateFigures,
            int maxBodyBytes,
            int maxWaits,
            InstantSource clock) {}

    /// The API of an orchestrator.
    public ClientApi(Parts parts) {
        apiAuthenticator = parts.authenticator();
        heavy = parts.heavy();
        var apiJson = new ApiJson(parts.payloads());
        var visible = new VisibleJobs(parts.store());
        submitting = new SubmitRoutes(parts.gate(), parts.maxBodyBytes(), parts.clock());
        jobs =
                new JobRoutes(
                        parts.lifecycle(),
                        parts.store(),
                        visible,
                        apiJson,
                        parts.links(),
                        heavy,
                        new Shares(parts.maxWaits()));
        cancels =
                new CancelRoutes(
                        parts.lifecycle(), parts.store(), visible, apiAuthenticator, heavy);
        histories =
                new HistoryRoutes(
                        parts.lifecycle(),
                        parts.store(),
                        visible,
                        apiJson,
                        parts.payloads(),
                        heavy);
        tasks =
                new TaskRoutes(
                        parts.lifecycle(), parts.store(), visible, apiJson, parts.progress());
        this.parts = new PartRoutes(parts.lifecycle(), parts.store(), visible);
        lists = new ListRoutes(parts.lifecycle(), parts.store(), parts.counts());
        deletes = new DeleteRoutes(parts.lifecycle(), parts.store(), visible);
        many = new BulkRoutes(parts.lifecycle(), lists, apiAuthenticator, parts.maxBodyBytes());
        blueprints = new BlueprintRoutes(parts.lifecycle(), parts.stateFigures());
        signals = new SignalRoutes(parts.lifecycle(), visible, parts.maxBodyBytes());
        quarantine =
                new QuarantineRoutes(
                        parts.lifecycle(), visible, lists, apiAuthenticator, parts.maxBodyBytes());
        control = new ControlRoutes(parts.lifecycle(), visible, parts.maxBodyBytes());
        forks = new ForkRoutes(parts.lifecycle(), parts.newJobs(), visible, parts.maxBodyBytes());
        resolutions = new ResolutionRoutes(parts.lifecycle(), visible, parts.maxBodyBytes());
        questions = new QuestionRoutes(parts.lifecycle(), visible, parts.store());
        approvals =
                new ApprovalRoutes(
                        parts.lifecycle(), apiAuthenticator, parts.links(), parts.store(), heavy);
        unreadable = new UnreadableRoutes(parts.lifecycle(), parts.store());
        stuck = new StuckRoutes(parts.lifecycle(), parts.store());
        overview =
                new OverviewRoutes(
                        parts.lifecycle(),
                        parts.overview(),
                        parts.counts(),
                        parts.feeds(),
                        parts.broadcast(),
                        parts.clock());
        needs = new NeedsRoutes(parts.lifecycle(), parts.store(), parts.needs());
        webhooks =
                new WebhookRoutes(
                        parts.lifecycle(),
                        apiAuthenticator,
                        visible,
                        parts.maxBodyBytes(),
                        parts.clock());
        schedules =
                new ScheduleRoutes(
                        parts.lifecycle(),
                        parts.schedules(),
                        parts.store(),
                        parts.accessControl(),
                        parts.maxBodyBytes(),
                        parts.clock());
        streams = new StreamRoutes(parts.lifecycle(), visible, parts.feeds(), apiJson);
    }

    private Handler read(ApiAuthenticator.Known handler) {
        return apiAuthenticator.known(heavy.byTurns(HeavyRequests.Kind.READ, handler));
    }

    private Handler search(ApiAuthenticator.Known handler) {
        return apiAuthenticator.known(heavy.byTurns(HeavyRequests.Kind.SEARCH, handler));
    }

    private Handler bulk(ApiAuthenticator.Known handler) {
        return apiAuthenticator.known(heavy.byTurns(HeavyRequests.Kind.BULK, handler));
    }

    private Handler change(ApiAuthenticator.Known handler) {
        return apiAuthenticator.known(heavy.byTurns(HeavyRequests.Kind.CHANGE, handler));
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        mount(routes, "/api/v1");
        mountAsOfOld(routes, "/api");
        routes.post("/_public/webhooks/approval/{id}", approvals::decideByToken);
        routes.get("/_public/webhooks/approval/{id}", approvals::questionByToken);
        routes.get("/_public/jobs/quarantined", search(lists::quarantined));
    }

    private void mount(RoutesConfig routes, String prefix) {
        routes.post(prefix + "/jobs", apiAuthenticator.known(submitting::submit));
        routes.post(prefix + "/jobs/{id}", apiAuthenticator.known(submitting::submitData));
        routes.post(prefix + "/bulk", bulk(submitting::submitAll));
        routes.post(prefix + "/bulk/cancel", bulk(many::cancel));
        routes.post(prefix + "/bulk/pause", bulk(many::pause));
        routes.post(prefix + "/bulk/resume", bulk(many::resume));
        routes.post(prefix + "/bulk/signals/{signal}", bulk(many::signal));
        routes.get(prefix + "/jobs", search(lists::list));
        routes.get(prefix + "/dashboard", apiAuthenticator.known(lists::dashboard));
        routes.get(prefix + "/jobs/{id}", apiAuthenticator.known(jobs::find));
        routes.delete(prefix + "/jobs/{id}", bulk(deletes::delete));
        routes.patch(prefix + "/jobs/{id}", change(control::change));
        routes.post(prefix + "/jobs/{id}/pause", change(control::pause));
        routes.post(prefix + "/jobs/{id}/resume", change(control::resume));
        routes.post(prefix + "/jobs/{id}/budget/extend", change(control::extendBudget));
        routes.post(prefix + "/jobs/{id}/cancel", change(cancels::cancel));
        routes.post(prefix + "/jobs/{id}/signals/{signal}", apiAuthenticator.known(signals::send));
        routes.post(prefix + "/jobs/{id}/tasks/{task}/resolve", change(resolutions::resolve));
        routes.post(prefix + "/jobs/{id}/fork", read(forks::fork));
        routes.post(prefix + "/jobs/{id}/rewind", read(quarantine::rewind));
        routes.get(prefix + "/quarantine", search(lists::workplace));
        routes.post(prefix + "/quarantine/{act}", bulk(quarantine::resolveAll));
        routes.post(prefix + "/jobs/{id}/quarantine/{act}", change(quarantine::resolve));
        routes.get(prefix + "/jobs/{id}/approvals", read(approvals::list));
        routes.post(prefix + "/jobs/{id}/approvals/{approval}", change(approvals::decide));
        routes.get(prefix + "/jobs/{id}/questions", read(questions::list));
        routes.post(prefix + "/jobs/{id}/questions/{question}", change(questions::answer));
        routes.get(prefix + "/jobs/{id}/history", apiAuthenticator.known(histories::history));
        routes.get(prefix + "/jobs/{id}/values/{sha256}", apiAuthenticator.known(histories::value));
        routes.get(prefix + "/jobs/{id}/tasks", read(parts::tasks));
        routes.get(prefix + "/jobs/{id}/children", read(parts::children));
        routes.get(prefix + "/jobs/{id}/tasks/{task}", read(tasks::task));
        routes.get(prefix + "/jobs/{id}/tasks/{task}/why", read(tasks::why));
        routes.get(prefix + "/jobs/{id}/explain", read(jobs::explain));
        routes.get(prefix + "/jobs/{id}/logs", read(histories::logs));
        routes.get(prefix + "/jobs/{id}/tasks/{task}/logs", read(histories::taskLogs));
        routes.get(prefix + "/jobs/{id}/events", apiAuthenticator.known(streams::ofJob));
        routes.get(prefix + "/jobs/{id}/webhooks", read(webhooks::ofJob));
        routes.post(prefix + "/jobs/{id}/webhooks/{call}/redeliver", read(webhooks::redeliver));
        routes.get(prefix + "/stuck", search(stuck::list));
        routes.get(prefix + "/overview", apiAuthenticator.known(overview::show));
        routes.get(prefix + "/overview/events", apiAuthenticator.known(overview::follow));
        routes.get(prefix + "/needs", search(needs::list));
        routes.get(prefix + "/unreadable", search(unreadable::list));
        routes.get(prefix + "/webhook-secret", apiAuthenticator.known(webhooks::secret));
        routes.get(prefix + "/webhooks", webhooks::list);
        routes.post(prefix + "/webhooks", webhooks::subscribe);
        routes.get(prefix + "/webhooks/{id}", webhooks::find);
        routes.delete(prefix + "/webhooks/{id}", webhooks::unsubscribe);
        routes.post(prefix + "/webhooks/{id}/rotate", apiAuthenticator.operated(webhooks::rotate));
        routes.get(prefix + "/webhooks/{id}/deliveries", webhooks::deliveries);
        var schedule = prefix + "/schedules/{name}";
        routes.get(prefix + "/schedules", read(schedules::list));
        routes.get(schedule, read(schedules::find));
        routes.put(schedule, change(schedules::put));
        routes.delete(schedule, change(schedules::delete));
        routes.post(schedule + "/pause", change(schedules::pause));
        routes.post(schedule + "/resume", change(schedules::resume));
        routes.post(schedule + "/run", change(schedules::run));
        routes.post(schedule + "/backfill", change(schedules::backfill));
        routes.get(schedule + "/runs", read(schedules::runs));
        routes.get(schedule + "/next", read(schedules::next));
        routes.get(prefix + "/events", apiAuthenticator.known(streams::ofAll));
        routes.get(prefix + "/fleet/events", apiAuthenticator.known(streams::ofFleet));
        routes.get(prefix + "/blueprints", apiAuthenticator.known(blueprints::list));
        routes.get(prefix + "/blueprints/{name}", apiAuthenticator.known(blueprints::one));
        routes.get(prefix + "/blueprints/{name}/graph", apiAuthenticator.known(blueprints::graph));
        routes.get(
                prefix + "/blueprints/{name}/statistics",
                apiAuthenticator.known(blueprints::statistics));
    }

    /// What clients of the first generation ask for, answered as they expect it; see docs/api.md.
    private void mountAsOfOld(RoutesConfig routes, String prefix) {
        routes.post(prefix + "/jobs/{id}", apiAuthenticator.known(submitting::submitAsOfOld));
        routes.get(prefix + "/jobs", search(lists::listAsOfOld));
        routes.get(prefix + "/jobs/{id}", apiAuthenticator.known(jobs::find));
        routes.post(prefix + "/jobs/{id}/cancel", change(cancels::cancel));
        routes.get(
                prefix + "/jobs/{id}/history", apiAuthenticator.known(histories::historyAsOfOld));
        routes.get(prefix + "/dashboard", apiAuthenticator.known(lists::dashboard));
        routes.get(prefix + "/blueprints/{name}/graph", apiAuthenticator.known(blueprints::graph));
    }
}
