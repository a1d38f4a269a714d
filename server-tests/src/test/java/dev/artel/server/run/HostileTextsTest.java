package dev.artel.server.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestNodes;
import dev.artel.worker.Handler;
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cards run at a terminal whose messages, questions and errors command it, or look like lines of the program.
final class HostileTextsTest {
    private static final String HOSTILE =
            "x\u001b]0;title\u0007y\u009b2Jz\nartel: paid: asks: harmless?";

    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /// Runs a card of these steps, with the hostile text as its input.
    private int run(String typed, Handler<JsonObject> handler, String steps) throws IOException {
        var card =
                Files.writeString(
                        folder.resolve("own.yaml"),
                        "metadata: {name: own, version: 1.0.0}\nspec: {steps: [" + steps + "]}\n");
        var terminal =
                new Terminal(
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8),
                        new BufferedReader(new StringReader(typed)),
                        !typed.isEmpty());
        var arguments = RunArguments.read(List.of(card.toString(), "--input", "text=" + HOSTILE));
        return new CardRunner(arguments, blueprints -> start(blueprints, handler), terminal).run();
    }

    private CardRunner.Started start(Blueprints blueprints, Handler<JsonObject> handler) {
        var node = ArtelNode.start(TestNodes.CONFIG.withData(folder.resolve("data")), blueprints);
        var worker =
                Worker.named("hostile")
                        .orchestrator(node.uri(), node.workerToken())
                        .withoutShutdownHook()
                        .handle("hostile", JsonObject.class, handler)
                        .build();
        worker.start();
        return new CardRunner.Started(
                node.uri(),
                node.clientToken(),
                () -> {
                    worker.close();
                    node.close();
                });
    }

    private static Result nothing(JsonObject params) {
        return Result.success(params);
    }

    /// What was shown, which is harmless.
    private String shown() {
        var shown = err.toString(UTF_8);
        assertThat(shown.codePoints().filter(point -> point != '\n'))
                .noneMatch(Character::isISOControl);
        assertThat(shown.lines()).noneMatch(line -> line.startsWith("artel: paid"));
        return shown;
    }

    @Test
    void theMessageOfAnApproval_isALineOfTheJob_beforeThePrompt() throws IOException {
        var asks = "{id: a, type: human_checkpoint, message: '${input.text}'}";

        assertThat(run("approve\n", (params, _) -> nothing(params), asks)).as(shown()).isZero();

        assertThat(shown())
                .contains(
                        "\ufffd]0;title\ufffdy\ufffd2Jz artel: paid: asks: harmless? [approve / reject] ");
    }

    @Test
    void theMessageOfAnApproval_withoutAPerson_isALineOfTheJob() throws IOException {
        var asks = "{id: a, type: human_checkpoint, message: '${input.text}'}";

        assertThat(run("", (params, _) -> nothing(params), asks)).as(shown()).isEqualTo(1);

        assertThat(shown())
                .contains("a: asks: x\ufffd]0;title")
                .contains("artel: waits for a person: x\ufffd]0;title")
                .contains("z artel: paid: asks: harmless? [approve / reject]; run with --approve");
    }

    @Test
    void theMessageOfAnApprovalThatIsTooLateSoon_hasNoLineOfTheProgram() throws IOException {
        // On a busy machine the approval may be over before anybody asks.
        for (var seconds = 1; !shown().contains("until ") && seconds < 100; seconds *= 4) {
            var asks =
                    "{id: a, type: human_checkpoint, message: '${input.text}', timeout: %ds}"
                            .formatted(seconds);
            assertThat(run("", (params, _) -> nothing(params), asks)).as(shown()).isEqualTo(1);
        }

        assertThat(shown())
                .contains(
                        "artel: waits for a person until ",
                        "z\n       artel: paid: asks: harmless?");
    }

    @Test
    void theQuestionAndTheErrorOfAWorker_areLinesOfTheJob() throws IOException {
        Handler<JsonObject> handler =
                (_, task) -> {
                    assertThat(task.ask(HOSTILE)).isEqualTo("yes");
                    throw new PermanentFailure(HOSTILE);
                };

        assertThat(run("yes\n", handler, "{id: a, action: hostile}")).as(shown()).isEqualTo(1);

        assertThat(shown())
                .contains("y\ufffd2Jz artel: paid: asks: harmless? ")
                .contains("artel: failed: ", "z\n       artel: paid: asks: harmless?");
        assertThat(out.toString(UTF_8)).isEmpty();
    }
}
