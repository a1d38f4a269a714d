package dev.artel.store.codec;

import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Deadline;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.question.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The form of what jobs wait for outside.
final class WaitCodec {
    private WaitCodec() {}

    static void writeApproval(String name, Approval approval, JsonOut out) throws IOException {
        out.begin(name);
        switch (approval) {
            case Approval(
                            var step,
                            var message,
                            var approvers,
                            var choices,
                            var tokenDigest,
                            var otherwise) -> {
                out.effect("step", step);
                out.text("message", message);
                writeApprovers(approvers, out);
                JobCodec.writeOutcomes("choices", choices, out);
                out.text("tokenDigest", tokenDigest);
                out.text("otherwise", otherwise);
            }
        }
        out.end();
    }

    static Approval readApproval(String name, JsonIn in) throws IOException {
        in.begin(name);
        var approval =
                new Approval(
                        in.effect("step"),
                        in.text("message"),
                        readApprovers(in),
                        JobCodec.readOutcomes("choices", in),
                        in.optionalText("tokenDigest"),
                        in.optionalText("otherwise"));
        in.end();
        return approval;
    }

    /// Those of every holder of the token are left out.
    static void writeApprovers(Approvers approvers, JsonOut out) throws IOException {
        if (!approvers.equals(Approvers.ANYBODY)) {
            out.begin("approvers");
            out.texts("users", approvers.users());
            out.texts("groups", approvers.groups());
            out.flag("submitter", approvers.submitter());
            out.end();
        }
    }

    static Approvers readApprovers(JsonIn in) throws IOException {
        if (!in.beginIfThere("approvers")) {
            return Approvers.ANYBODY;
        }
        var approvers = new Approvers(in.texts("users"), in.texts("groups"), in.flag("submitter"));
        in.end();
        return approvers;
    }

    static void writeQuestion(String name, Question question, JsonOut out) throws IOException {
        out.begin(name);
        switch (question) {
            case Question(var id, var text, var choices) -> {
                out.text("id", id);
                out.text("text", text);
                out.texts("choices", choices);
            }
        }
        out.end();
    }

    static Question readQuestion(String name, JsonIn in) throws IOException {
        in.begin(name);
        var question = new Question(in.text("id"), in.text("text"), in.texts("choices"));
        in.end();
        return question;
    }

    static void writeApprover(String name, Approver by, JsonOut out) throws IOException {
        out.begin(name);
        switch (by) {
            case Approver.TokenHolder(var digest, var given) -> {
                out.text("kind", "tokenHolder");
                out.text("digest", digest);
                out.text("name", given);
            }
            case Approver.OfClient(var client, var groups, var number) -> {
                out.text("kind", "ofClient");
                out.text("client", client);
                out.texts("groups", groups);
                out.number("number", number);
            }
        }
        out.end();
    }

    static Approver readApprover(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var by =
                switch (kind) {
                    case "tokenHolder" ->
                            new Approver.TokenHolder(in.text("digest"), in.optionalText("name"));
                    case "ofClient" ->
                            new Approver.OfClient(
                                    in.text("client"), in.texts("groups"), in.number("number"));
                    default -> throw in.found("approver \"" + kind + "\"", "a kind of approver");
                };
        in.end();
        return by;
    }

    static void writeResolution(String name, Resolution resolution, JsonOut out)
            throws IOException {
        out.begin(name);
        switch (resolution) {
            case Resolution.Happened(var status, var data) -> {
                out.text("kind", "happened");
                out.text("status", status);
                out.payload("data", data);
            }
            case Resolution.DidNotHappen() -> out.text("kind", "didNotHappen");
            case Resolution.Failed(var reason) -> {
                out.text("kind", "failed");
                out.text("reason", reason);
            }
        }
        out.end();
    }

    static Resolution readResolution(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var resolution =
                switch (kind) {
                    case "happened" ->
                            new Resolution.Happened(in.text("status"), in.payload("data"));
                    case "didNotHappen" -> new Resolution.DidNotHappen();
                    case "failed" -> new Resolution.Failed(in.text("reason"));
                    default ->
                            throw in.found("resolution \"" + kind + "\"", "a kind of resolution");
                };
        in.end();
        return resolution;
    }

    static void writeQuarantineAction(String name, QuarantineAction how, JsonOut out)
            throws IOException {
        out.begin(name);
        switch (how) {
            case QuarantineAction.Release() -> out.text("kind", "release");
            case QuarantineAction.Retry(var changes) -> {
                out.text("kind", "retry");
                JobCodec.writeValues("changes", changes, out);
            }
            case QuarantineAction.Skip(var status, var result) -> {
                out.text("kind", "skip");
                out.text("status", status);
                out.payload("result", result);
            }
            case QuarantineAction.Discard(var reason) -> {
                out.text("kind", "discard");
                out.text("reason", reason);
            }
        }
        out.end();
    }

    static QuarantineAction readQuarantineAction(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var how =
                switch (kind) {
                    case "release" -> new QuarantineAction.Release();
                    case "retry" -> new QuarantineAction.Retry(JobCodec.readValues("changes", in));
                    case "skip" ->
                            new QuarantineAction.Skip(in.text("status"), in.payload("result"));
                    case "discard" -> new QuarantineAction.Discard(in.text("reason"));
                    default -> throw in.found("recovery \"" + kind + "\"", "a kind of recovery");
                };
        in.end();
        return how;
    }

    static void writeVisit(String name, StateVisit stateVisit, JsonOut out) throws IOException {
        out.begin(name);
        switch (stateVisit) {
            case StateVisit(var state, var data, var tasks, var done, var run) -> {
                out.text("state", state);
                JobCodec.writeValues("data", data, out);
                out.number("tasks", tasks);
                out.number("done", done);
                if (run > 0) {
                    out.number("run", run);
                }
            }
        }
        out.end();
    }

    static StateVisit readVisit(String name, JsonIn in) throws IOException {
        in.begin(name);
        return readVisit(in);
    }

    /// What follows its beginning.
    static StateVisit readVisit(JsonIn in) throws IOException {
        var stateVisit =
                new StateVisit(
                        in.text("state"),
                        JobCodec.readValues("data", in),
                        in.integer("tasks"),
                        in.integer("done"),
                        in.integerOr("run", 0));
        in.end();
        return stateVisit;
    }

    /// Nothing for an empty list.
    static void writeRecorded(String name, List<RecordedResult> results, JsonOut out)
            throws IOException {
        if (results.isEmpty()) {
            return;
        }
        out.beginArray(name);
        for (var result : results) {
            out.begin();
            switch (result) {
                case RecordedResult(
                                var task,
                                var type,
                                var params,
                                var worker,
                                var status,
                                var data) -> {
                    out.number("task", task);
                    out.text("type", type);
                    out.payload("params", params);
                    LeaseCodec.writeWorker("worker", worker, out);
                    out.text("status", status);
                    out.payload("data", data);
                }
            }
            out.end();
        }
        out.endArray();
    }

    static List<RecordedResult> readRecorded(String name, JsonIn in) throws IOException {
        if (!in.isNext(name)) {
            return List.of();
        }
        in.beginArray(name);
        var results = new ArrayList<RecordedResult>();
        while (in.beginNext()) {
            results.add(
                    new RecordedResult(
                            in.integer("task"),
                            in.text("type"),
                            in.payload("params"),
                            LeaseCodec.readWorker("worker", in),
                            in.text("status"),
                            in.payload("data")));
            in.end();
        }
        return results;
    }

    static void writeDeadline(Optional<Deadline> deadline, JsonOut out) throws IOException {
        if (deadline.isPresent()) {
            out.begin("deadline");
            out.duration("within", deadline.get().within());
            out.text("state", deadline.get().state());
            out.end();
        }
    }

    static Optional<Deadline> readDeadline(JsonIn in) throws IOException {
        if (!in.beginIfThere("deadline")) {
            return Optional.empty();
        }
        var deadline = new Deadline(in.duration("within"), in.text("state"));
        in.end();
        return Optional.of(deadline);
    }
}
