package dev.artel.store.codec;

import dev.artel.kernel.blueprint.Deadline;
import dev.artel.kernel.job.Approval;
import dev.artel.kernel.job.Approver;
import java.io.IOException;
import java.util.Optional;

/// The form of what jobs wait for outside.
final class OutsideParts {
    private OutsideParts() {}

    static void writeApproval(String name, Approval approval, JsonOut out) throws IOException {
        out.begin(name);
        switch (approval) {
            case Approval(var step, var message, var choices, var tokenDigest, var otherwise) -> {
                out.effect("step", step);
                out.text("message", message);
                JobParts.writeOutcomes("choices", choices, out);
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
                        JobParts.readOutcomes("choices", in),
                        in.optionalText("tokenDigest"),
                        in.optionalText("otherwise"));
        in.end();
        return approval;
    }

    static void writeApprover(String name, Approver by, JsonOut out) throws IOException {
        out.begin(name);
        switch (by) {
            case Approver.TokenHolder(var digest) -> {
                out.text("kind", "tokenHolder");
                out.text("digest", digest);
            }
            case Approver.OfClient(var client, var number) -> {
                out.text("kind", "ofClient");
                out.text("client", client);
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
                    case "tokenHolder" -> new Approver.TokenHolder(in.text("digest"));
                    case "ofClient" ->
                            new Approver.OfClient(in.text("client"), in.number("number"));
                    default -> throw in.found("approver \"" + kind + "\"", "a kind of approver");
                };
        in.end();
        return by;
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
