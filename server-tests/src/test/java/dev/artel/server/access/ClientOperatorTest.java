package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintProvider;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.Verdict;
import dev.artel.client.ApprovalStatus;
import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JarView;
import dev.artel.client.JobFilter;
import dev.artel.client.JobStatus;
import dev.artel.client.JobView;
import dev.artel.client.PauseView;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestJar;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The client SDK in the hands of an operator, on an orchestrator over HTTP.
final class ClientOperatorTest {
    private static final BlueprintType<JsonObject, Nothing> BROKEN =
            BlueprintType.of("broken", JsonObject.class);
    private static final BlueprintType<JsonObject, Nothing> ASKING =
            BlueprintType.of("asking", JsonObject.class);
    private static final BlueprintType<JsonObject, Nothing> LATE =
            BlueprintType.of("late", JsonObject.class);
    private static final Duration SOON = Await.longest();

    enum Way {
        TRAIN,
        PLANE
    }

    private static final Approval<Way> WAY = Approval.of(Way.class);

    @TempDir private Path folder;
    private ArtelNode node;
    private ArtelClient client;

    /// In the jar: finishes at once.
    public static final class LateProvider implements BlueprintProvider {
        /// For the loader of services.
        public LateProvider() {}

        @Override
        public List<Blueprint> blueprints() {
            var b = Blueprint.states(BlueprintType.of("late", JsonObject.class)).version("2");
            b.start("begin").finish(_ -> Nothing.NOTHING);
            return List.of(b.build());
        }
    }

    private static Blueprint broken() {
        var b = Blueprint.states(BROKEN);
        b.start("fail")
                .finish(step -> {
                    throw new IllegalStateException("no paper in " + step.job());
                })
                .stepAttempts(1);
        return b.build();
    }

    private static Blueprint asking() {
        return Blueprint.function(
                ASKING,
                (run, _) -> {
                    var way = run.approval(ApprovalCall.of(WAY, "Train or plane?"));
                    if (way.decision() == Way.PLANE
                            || run.approval("Sure?").decision() == Verdict.REJECT) {
                        throw new RunFailed("not by train");
                    }
                    return Nothing.NOTHING;
                });
    }

    @BeforeEach
    void start() throws IOException {
        var jars = Files.createDirectories(folder.resolve("jars"));
        var file = folder.resolve("artel.yaml");
        Files.writeString(
                file,
                "http.port: 0\ndata: "
                        + folder.resolve("data")
                        + "\nblueprints.folder: "
                        + jars
                        + "\nblueprints.upload: true\n");
        node = TestNodes.launched(file, jars, Blueprints.of(broken(), asking()));
        client = ArtelClient.of(node.uri(), node.clientToken());
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    @Test
    void newJobsOfABlueprintAndOfAClient_beginPaused_untilTheOperatorRemovesThat() {
        var operator = client.operator();
        operator.pauseBlueprint("asking", "the printer is broken");
        operator.pauseClient("anna", "too many jobs");

        assertThat(operator.pauses())
                .extracting(PauseView::scope, PauseView::name, each -> each.reason().orElse(""))
                .containsExactly(
                        tuple(PauseView.Scope.BLUEPRINT, "asking", "the printer is broken"),
                        tuple(PauseView.Scope.CLIENT, "anna", "too many jobs"));
        var job = client.submit(ASKING, JsonObject.EMPTY);
        assertThat(client.find(job.ref()).document().toString()).contains("the printer is broken");
        assertThat(operator.unpauseBlueprint("asking")).isTrue();
        assertThat(operator.unpauseBlueprint("asking")).isFalse();
        assertThat(operator.unpauseClient("anna")).isTrue();
        assertThat(operator.pauses()).isEmpty();
        assertThat(client.resumeAll(JobFilter.ofBlueprint("asking")).done()).isEqualTo(1);
        await().until(() -> job.status() == JobStatus.WAITING_FOR_HUMAN);
    }

    @Test
    void aJar_isUploaded_used_listedAndDeleted() throws IOException {
        var operator = client.operator();
        var jar = folder.resolve("late-2.jar");
        Files.write(jar, TestJar.of(BlueprintProvider.class, LateProvider.class));

        var stored = operator.uploadJar(jar);

        assertThat(stored.blueprints()).containsExactly(new JarView.Definition("late", "2"));
        assertThat(stored.bytes()).isEqualTo(Files.size(jar));
        assertThat(operator.uploadJar(jar)).isEqualTo(stored);
        assertThat(operator.jars()).extracting(JarView::name).containsExactly("late-2.jar");
        assertThat(client.submit(LATE, JsonObject.EMPTY).await(SOON)).isEqualTo(Nothing.NOTHING);
        assertThatExceptionOfType(ClientException.Invalid.class)
                .isThrownBy(() -> operator.uploadJar("none.jar", "no jar".getBytes(UTF_8)))
                .satisfies(refused -> assertThat(refused.code()).contains("invalid_jar"));
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() ->
                        operator.uploadJar(
                                "again.jar",
                                TestJar.of(BlueprintProvider.class, LateProvider.class)));
        assertThat(operator.deleteJar("late-2.jar")).isTrue();
        assertThat(operator.jars()).isEmpty();
        assertThatExceptionOfType(ClientException.NotFound.class)
                .isThrownBy(() -> operator.deleteJar("late-2.jar"));
    }

    @Test
    void jobsThatCannotGoOn_areListed_withTheirReasons() {
        var job = client.submit(BROKEN, JsonObject.EMPTY, it -> it.withLabel("shop", "north"));
        await().until(() -> job.status() == JobStatus.QUARANTINED);

        assertThat(client.quarantined())
                .extracting(JobView::job, JobView::status)
                .containsExactly(tuple(job.ref(), JobStatus.QUARANTINED));
        assertThat(client.quarantined().getFirst().error().orElseThrow()).contains("no paper");
        assertThat(client.quarantined(JobFilter.ofLabel("shop", "north"))).hasSize(1);
        assertThat(client.quarantined(JobFilter.ofLabel("shop", "south"))).isEmpty();
    }

    @Test
    void anApproval_isDecidedByTheConstantThatTheFunctionAsksWith() {
        var job = client.submit(ASKING, JsonObject.EMPTY);
        await().until(() -> job.status() == JobStatus.WAITING_FOR_HUMAN);

        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> job.decide(Approval.APPROVE))
                .withMessageContaining("no approval with the choices [approve, reject]");
        job.decide(WAY, Way.TRAIN);
        await().until(() ->
                client.approvals(job.ref()).stream()
                                .filter(each -> each.status() == ApprovalStatus.DECIDED)
                                .flatMap(each -> each.decision(WAY).stream())
                                .toList()
                                .equals(List.of(Way.TRAIN))
                        && client.approvals(job.ref()).size() == 2);
        job.decide(Approval.APPROVE);

        assertThat(job.await(SOON)).isEqualTo(Nothing.NOTHING);
    }
}
