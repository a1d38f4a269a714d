package dev.artel.server.replay;

import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.Printable;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.HistoryMismatch;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Runs functions along the history of a job, and reports whether they fit.
public final class ReplayCommand {
    private final Blueprints blueprints;
    private final PrintStream out;

    /// @param blueprints has the code
    /// @param out where the results are written, one a line
    public ReplayCommand(Blueprints blueprints, PrintStream out) {
        this.blueprints = blueprints;
        this.out = out;
    }

    /// Replays what `place` is: a file with a saved history, or the id of a job of the orchestrator at `url`.
    ///
    /// @param token of a client that may see the job
    /// @param save the file in which the history is kept, if any
    /// @return whether each version of its blueprint fits
    /// @throws ReplayFailed if the history cannot be read or kept, or there is no function for it
    public boolean run(String place, URI url, String token, Optional<Path> save) {
        var file = Path.of(place);
        var history =
                Files.isRegularFile(file)
                        ? HistoryReader.of(file)
                        : new HistoryReader(url, token).of(place);
        save.ifPresent(target -> write(history, target));
        var job = history.string("job_id").orElse("recorded");
        var name = blueprintOf(history);
        var versions = blueprints.versionsOf(name);
        if (versions.isEmpty()) {
            throw new ReplayFailed(
                    "job "
                            + job
                            + " is of blueprint "
                            + name
                            + ", which is not among "
                            + blueprints.names()
                            + "; put its jar into the folder of blueprints, or name another folder with"
                            + " --blueprints.folder");
        }
        return versions.stream()
                        .map(version -> blueprints.find(name, version).orElseThrow())
                        .filter(blueprint -> !fits(blueprint, job, history))
                        .count()
                == 0;
    }

    private static String blueprintOf(JsonObject history) {
        return history.array("items").orElse(JsonArray.EMPTY).stream()
                .findFirst()
                .filter(JsonObject.class::isInstance)
                .flatMap(submitted -> ((JsonObject) submitted).string("blueprint"))
                .orElseThrow(() ->
                        new ReplayFailed(
                                "the history is to be replayed and does not begin with job.submitted; give all"
                                        + " of its events, oldest first"));
    }

    private boolean fits(Blueprint blueprint, String job, JsonObject history) {
        try {
            var stands = FunctionBlueprint.replay(blueprint, history);
            out.println(Printable.line("fits: " + blueprint + ", job " + job + ": " + stands));
            return true;
        } catch (HistoryMismatch differs) {
            out.println(Printable.behind("differs: ", blueprint + ": " + differs.getMessage()));
            return false;
        } catch (IllegalArgumentException impossible) {
            throw new ReplayFailed(String.valueOf(impossible.getMessage()), impossible);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ReplayFailed("the replay of job " + job + " was interrupted", stop);
        }
    }

    private static void write(JsonObject history, Path target) {
        try {
            Files.write(target, JsonText.write(history));
        } catch (IOException failed) {
            throw new ReplayFailed("cannot save the history in " + target + ": " + failed, failed);
        }
    }
}
