package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.ResultBatch;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerEvent;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// `CALL`: what workers on HTTP do with requests, with the same bodies. Messages of one worker come one at a time.
final class CallMessages {
    private static final JsonObject NOT_HELD =
            JsonObject.builder().put("status", "ignored").put("reason", "not_found").build();
    private static final JsonObject ACCEPTED =
            JsonObject.builder().put("status", "accepted").build();

    private final ReadyMessages.Parts parts;
    private final InFlight inFlight;
    private final CallPolls polls;
    private final ResultMessages.Values values;

    CallMessages(
            ReadyMessages.Parts parts,
            InFlight inFlight,
            CallPolls polls,
            ResultMessages.Values values) {
        this.parts = parts;
        this.inFlight = inFlight;
        this.polls = polls;
        this.values = values;
    }

    /// A call under way.
    ///
    /// @param lease of the task that it is about; empty if it is about none
    record Call(PeerName peer, String id, WorkerId worker, String lease, JsonValue body) {
        String workerName() {
            return worker.value();
        }

        Members members() {
            if (body instanceof JsonObject object) {
                return new Members(object);
            }
            throw new MalformedMessage("body", "an object", "a value of kind " + body.kind());
        }
    }

    void call(PeerName peer, PushMessage message) {
        var members = message.members();
        var id = members.id("call_id");
        try {
            begin(peer, id, message);
        } catch (BadFrame refused) {
            refuse(
                    peer,
                    CallAnswers.failed(
                            id, refused.code().name(), String.valueOf(refused.getMessage())));
        } catch (MalformedMessage malformed) {
            refuse(
                    peer,
                    CallAnswers.failed(id, "BAD_CALL", String.valueOf(malformed.getMessage())));
        }
    }

    private void begin(PeerName peer, String id, PushMessage message) {
        var members = message.members();
        var worker = sender(peer, members);
        var operation = members.id("op");
        var wait = parts.limits().take(worker, kind(operation));
        if (wait.isPresent()) {
            answer(peer, CallAnswers.later(id, wait.get(), "the worker sends too much"));
            return;
        }
        var body = members.find("body");
        var call =
                new Call(
                        peer,
                        id,
                        worker,
                        members.text("lease_id", ""),
                        body == null ? JsonObject.EMPTY : body);
        if (!inFlight.begin(peer)) {
            answer(
                    peer,
                    CallAnswers.later(id, Duration.ofSeconds(1), "too many calls have no answer"));
            return;
        }
        try {
            if (message.unreadable().isPresent()) {
                unreadable(call, operation, message.unreadable().get(), message.isTooLarge());
            } else {
                perform(call, operation);
            }
        } catch (RuntimeException refused) {
            inFlight.end(peer);
            throw refused;
        }
    }

    private static WorkerLimits.Kind kind(String operation) {
        return switch (operation) {
            case "heartbeat" -> WorkerLimits.Kind.HEARTBEAT;
            case "poll" -> WorkerLimits.Kind.POLL;
            default -> WorkerLimits.Kind.OTHER;
        };
    }

    /// Who calls: the worker of the session that the call names, or the one that its token lets it be.
    private WorkerId sender(PeerName peer, Members members) {
        var session = members.findText("session");
        if (session == null) {
            return parts.authenticated(
                    peer,
                    members.text("token", ""),
                    peer.isSecret() ? members.id("worker_id") : peer.worker());
        }
        var link = parts.links().find(peer);
        if (link == null || !link.session().equals(session)) {
            parts.sender().reregister(peer, "a call came in no session");
            throw new BadFrame(RejectCode.BAD_TOKEN, "the session is over; send READY");
        }
        return link.worker();
    }

    private void perform(Call call, String operation) {
        var body = call.body();
        var name = call.workerName();
        switch (operation) {
            case "register" -> send(call, checked(call, Register.read(body)));
            case "heartbeat" -> send(call, Heartbeat.read(name, body));
            case "poll" -> poll(call);
            case "result" -> result(call);
            case "results" -> results(call);
            case "renew" -> send(call, Renew.read(name, body));
            case "release" -> send(call, Release.read(body));
            case "progress" -> send(call, progress(call));
            case "log" -> send(call, TaskLog.read(name, lease(call), body));
            case "question" -> send(call, AskQuestion.read(name, lease(call), body));
            case "event" -> event(call);
            case "drain" -> send(call, new WorkerMessage.Drain(name));
            case "disconnect" -> send(call, new WorkerMessage.Disconnect(name));
            case String other ->
                    throw new MalformedMessage(
                            "op", "one of the operations of PUSH/1", "'" + other + "'");
        }
    }

    private static Register checked(Call call, Register message) {
        if (!message.workerId().equals(call.workerName())) {
            throw new BadFrame("the identity of the socket must be worker_id");
        }
        return message;
    }

    private static String lease(Call call) {
        if (call.lease().isBlank()) {
            throw new MalformedMessage("lease_id", "the lease of the task", "nothing");
        }
        return call.lease();
    }

    private static Progress progress(Call call) {
        var lease = lease(call);
        var body = call.members();
        var fraction = body.body().number("progress");
        return new Progress(
                null,
                lease,
                lease,
                fraction.map(JsonNumber::asDouble).orElse(0.0),
                body.text("message", ""));
    }

    private void send(Call call, WorkerMessage message) {
        Replies.then(
                ending(call, parts.shell().send(call.worker(), message)),
                call.peer(),
                reply -> answer(call.peer(), CallAnswers.write(call.id(), reply)));
    }

    private CompletableFuture<SessionReply> ending(
            Call call, CompletableFuture<SessionReply> answer) {
        return answer.whenComplete((_, _) -> inFlight.end(call.peer()));
    }

    private void event(Call call) {
        var message = WorkerEvent.read(call.body()).asMessage(call.workerName());
        if (message.isEmpty()) {
            inFlight.end(call.peer());
            answer(call.peer(), CallAnswers.ok(call.id(), NOT_HELD));
            return;
        }
        Replies.then(
                ending(call, parts.shell().send(call.worker(), message.get())),
                call.peer(),
                reply ->
                        answer(
                                call.peer(),
                                reply instanceof SessionReply.Message
                                        ? CallAnswers.ok(
                                                call.id(),
                                                CallAnswers.isKept(reply) ? ACCEPTED : NOT_HELD)
                                        : CallAnswers.write(call.id(), reply)));
    }

    /// A result of which the ids can be found ends its attempt: it would come again and again.
    private void unreadable(
            Call call, String operation, PushMessage.Unreadable unreadable, boolean isTooLarge) {
        var ids = unreadable.found().idsOfBody();
        if (!operation.equals("result") || !ids.isComplete()) {
            throw new MalformedMessage("body", "what can be read", unreadable.problem());
        }
        var outcome =
                isTooLarge
                        ? TaskOutcome.tooLarge(PushFrames.MAX_BODY)
                        : TaskOutcome.invalid(unreadable.problem());
        send(call, own(call, ids.result(outcome)));
    }

    private void result(Call call) {
        send(call, own(call, TaskResult.read(call.body())));
    }

    private TaskResult own(Call call, TaskResult result) {
        if (result.workerId() != null && !result.workerId().equals(call.workerName())) {
            throw new BadFrame(RejectCode.BAD_TOKEN, "the result is that of another worker");
        }
        return values.checked(result);
    }

    /// Each result of a batch is reported on its own, and answered in its place.
    private void results(Call call) {
        var batch = ResultBatch.read(call.body());
        if (batch.entries().size() > ResultBatch.MOST) {
            inFlight.end(call.peer());
            answer(
                    call.peer(),
                    CallAnswers.failed(
                            call.id(),
                            "BAD_CALL",
                            "the batch has more than " + ResultBatch.MOST + " results; split it"));
            return;
        }
        var answers = new ArrayList<CompletableFuture<Answered>>();
        for (var entry : batch.entries()) {
            answers.add(
                    switch (entry) {
                        case ResultBatch.Entry.Understood(var result) ->
                                parts.shell()
                                        .send(call.worker(), own(call, result))
                                        .thenApply(Answered::of);
                        case ResultBatch.Entry.NotUnderstood(var reason) ->
                                CompletableFuture.completedFuture(
                                        new Answered(ResultAnswer.refused(reason).toJson(), null));
                    });
        }
        var all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        Replies.then(
                ending(call, all.thenApply(_ -> new SessionReply.Done())),
                call.peer(),
                _ ->
                        answer(
                                call.peer(),
                                answer(
                                        call.id(),
                                        answers.stream().map(CompletableFuture::join).toList())));
    }

    /// What became of one of many results.
    ///
    /// @param notNow null: it was taken, or never will be
    private record Answered(JsonValue json, @Nullable SessionReply notNow) {
        static Answered of(SessionReply reply) {
            return reply instanceof SessionReply.Results(var answers)
                    ? new Answered(answers.getFirst().toJson(), null)
                    : new Answered(JsonNull.NULL, reply);
        }
    }

    /// If one of them cannot be taken now, all come again: those that were taken are known by their leases.
    private static List<byte[]> answer(String id, List<Answered> results) {
        for (var result : results) {
            if (result.notNow() != null) {
                return CallAnswers.write(id, result.notNow());
            }
        }
        return CallAnswers.ok(id, new JsonArray(results.stream().map(Answered::json).toList()));
    }

    private void poll(Call call) {
        if (parts.links().find(call.peer()) != null) {
            throw new MalformedMessage(
                    "op", "no poll in a session in which tasks are pushed", "a poll");
        }
        var body = call.members();
        var timeout = body.findCount("timeout_ms");
        polls.poll(
                call,
                new WorkerMessage.Poll(
                        call.workerName(),
                        (int) Math.min(Integer.MAX_VALUE, body.count("max", 0)),
                        names(body, "available_skills"),
                        names(body, "hot_skills"),
                        timeout == null ? null : Duration.ofMillis(timeout)),
                ReadyMessages.inline(body.count("inline_bytes", TaskAssignments.ALL)));
    }

    private static @Nullable List<String> names(Members body, String name) {
        return body.find(name) == null ? null : List.copyOf(body.texts(name));
    }

    private void answer(PeerName peer, List<byte[]> frames) {
        var _ = parts.sender().send(WirePort.RESULTS, peer, frames, null);
    }

    private void refuse(PeerName peer, List<byte[]> frames) {
        parts.sender().refuse(WirePort.RESULTS, peer, frames);
    }
}
