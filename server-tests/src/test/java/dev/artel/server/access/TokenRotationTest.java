package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.access.AccessControl;
import dev.artel.config.ServerConfig;
import dev.artel.kernel.store.StoreException;
import dev.artel.maintenance.MaintenanceFailed;
import dev.artel.maintenance.TokenCommands;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.StreamReader;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Wiring;
import dev.artel.tokens.TokenDigest;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tokens are replaced while an orchestrator runs.
final class TokenRotationTest {
    private static final String FIRST = "first-token-of-alice-0";
    private static final List<String> ALICE = List.of("client", "alice");

    @TempDir private Path data;

    @BeforeEach
    void writeClients() throws IOException {
        Files.writeString(
                data.resolve("clients.toml"), "[alice]\ntoken = \"" + FIRST + "\"\n[bob]\n");
    }

    private ServerConfig config() {
        return TestNodes.CONFIG.withData(data);
    }

    private ArtelNode start() {
        return ArtelNode.start(config(), SampleBlueprints.all());
    }

    private TokenCommands tokens() {
        return tokens(InstantSource.system());
    }

    private TokenCommands tokens(InstantSource clock) {
        return new TokenCommands(
                data, register -> Wiring.tokens(config(), register), clock, "root");
    }

    private String add(List<String> holder) {
        var done = tokens().add(holder, Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(done.isInForce()).as(done.report()).isTrue();
        return done.token().orElseThrow();
    }

    private static String id(String token) {
        return TokenDigest.of(token).id();
    }

    private static Answer whoami(ArtelNode node, String token) {
        return new TestClient(node.uri(), "X-Client-Token", token).get("/api/v1/whoami");
    }

    /// Trap: with one token for each client there is a moment at which neither the old nor the new one is good.
    @Test
    void aTokenThatIsAdded_isGoodAtOnceBesideTheOldOne_andOneThatIsRevoked_isRefusedAtOnce()
            throws IOException {
        try (var node = start()) {
            var second = add(ALICE);

            assertThat(whoami(node, FIRST).object().string("client")).contains("alice");
            var me = whoami(node, second).object();
            assertThat(me.string("client")).contains("alice");
            assertThat(me.string("token")).contains(id(second));

            var done = tokens().revoke(id(FIRST), Optional.empty());

            assertThat(done.isInForce()).isTrue();
            var refused = whoami(node, FIRST);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.error()).isEqualTo("Unauthorized: Invalid token");
            assertThat(refused.detail())
                    .startsWith("token " + id(FIRST) + " was revoked, and good until ")
                    .endsWith("(./artel token add client alice)");
            assertThat(whoami(node, second).status()).isEqualTo(200);
            assertThat(Files.readString(data.resolve("access-tokens.json")))
                    .doesNotContain(second, FIRST);
        }
        try (var node = start()) {
            assertThat(whoami(node, FIRST).status()).isEqualTo(401);
        }
        var audit = Files.readAllLines(data.resolve("audit.jsonl"));
        assertThat(audit.stream().filter(line -> line.contains("token added")))
                .singleElement()
                .asString()
                .contains("\"caller\":\"root on this machine\"", "client alice");
        assertThat(audit.stream().filter(line -> line.contains("token revoked")))
                .singleElement()
                .asString()
                .contains(id(FIRST));
    }

    @Test
    void aTokenThatIsRevokedWithATerm_isGoodUntilThen() {
        try (var node = start()) {
            var second = add(ALICE);
            var _ = tokens().revoke(id(FIRST), Optional.of(Duration.ofDays(7)));
            assertThat(whoami(node, FIRST).object().string("token_expires_at")).isPresent();

            // What is added with an end that is over by now: a day and a second ago, for a day.
            var ago = Instant.now().minus(Duration.ofDays(1)).minusSeconds(1);
            var old =
                    tokens(() -> ago)
                            .add(
                                    ALICE,
                                    Optional.of(Duration.ofDays(1)),
                                    Optional.empty(),
                                    Optional.empty());
            var refused = whoami(node, old.token().orElseThrow());
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.detail()).contains("has expired at ");
            assertThat(whoami(node, second).status()).isEqualTo(200);
        }
    }

    @Test
    void aTokenThatExpires_isRefusedFromThenOn_andItsStreamsEnd() throws IOException {
        try (var node = start()) {
            // A busy machine may ask too late with the first one.
            var seconds = 6;
            while (!isGoodFor(node, seconds)) {
                seconds *= 2;
                assertThat(seconds).isLessThan(1_000);
            }
        }
    }

    /// Whether a stream was open when the time of its token was over.
    private boolean isGoodFor(ArtelNode node, int seconds) throws IOException {
        var brief =
                tokens().add(
                                ALICE,
                                Optional.of(Duration.ofSeconds(seconds)),
                                Optional.empty(),
                                Optional.empty())
                        .token()
                        .orElseThrow();
        try (var stream = StreamReader.as(brief, node, "/events?after=0", "")) {
            if (stream.status() != 200) {
                return false;
            }
            await().until(() -> whoami(node, brief).status() == 401);
            assertThat(isAtItsEnd(stream)).isTrue();
            return true;
        }
    }

    private static boolean isAtItsEnd(StreamReader stream) {
        try {
            for (var i = 0; i < 100; i++) {
                if (stream.next() == null) {
                    return true;
                }
            }
            return false;
        } catch (java.net.SocketTimeoutException goesOn) {
            return false;
        } catch (IOException brokenOff) {
            return true;
        }
    }

    /// Trap: who edits the files of clients at this moment keeps a stolen token in force.
    @Test
    void aTokenIsRevoked_alsoWhileTheFileOfClientsIsBroken() throws IOException {
        try (var node = start()) {
            var second = add(ALICE);
            var file = data.resolve("clients.toml");
            var good = Files.readString(file);
            Files.writeString(file, "[alice\n");
            assertThatThrownBy(() -> tokens().revoke(id(FIRST), Optional.empty()))
                    .isInstanceOf(MaintenanceFailed.class)
                    .hasMessageContaining("is no TOML");
            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").status())
                    .isEqualTo(409);
            assertThat(tokens().revoke(id(second), Optional.empty()).isInForce()).isTrue();
            assertThat(whoami(node, second).status()).isEqualTo(401);
            assertThat(whoami(node, FIRST).status()).isEqualTo(200);
            var hex = TokenDigest.of(FIRST).hex();
            assertThat(tokens().revoke(hex, Optional.empty()).isInForce()).isTrue();
            assertThat(whoami(node, FIRST).status()).isEqualTo(401);
            Files.writeString(file, good);
        }
    }

    @Test
    void tokensOfWorkers_overlapToo_andASocketOfARevokedOneIsClosed() throws Exception {
        try (var node = start()) {
            var first = add(List.of("worker", "w1"));
            var second = add(List.of("worker", "w1"));
            var shared = add(List.of("workers"));
            var register = "{\"worker_id\":\"%s\",\"supported_tasks\":[\"echo\"]}";
            for (var token : List.of(first, second)) {
                assertThat(
                                worker(node, token)
                                        .post("/_worker/workers/register", register.formatted("w1"))
                                        .status())
                        .isEqualTo(200);
            }
            for (var token : List.of(shared, node.workerToken())) {
                assertThat(
                                worker(node, token)
                                        .post("/_worker/workers/register", register.formatted("w2"))
                                        .status())
                        .isEqualTo(200);
                assertThat(
                                worker(node, token)
                                        .post("/_worker/workers/register", register.formatted("w1"))
                                        .status())
                        .isEqualTo(401);
            }
            var closed = new CompletableFuture<Integer>();
            var socket = socket(node, first, closed);

            var _ = tokens().revoke(id(first), Optional.empty());
            var _ = tokens().revoke(id(node.workerToken()), Optional.empty());

            assertThat(worker(node, first).method("PATCH", "/_worker/workers/w1").status())
                    .isEqualTo(401);
            assertThat(worker(node, second).method("PATCH", "/_worker/workers/w1").status())
                    .isEqualTo(200);
            assertThat(
                            worker(node, node.workerToken())
                                    .method("PATCH", "/_worker/workers/w2")
                                    .status())
                    .isEqualTo(401);
            assertThat(worker(node, shared).method("PATCH", "/_worker/workers/w2").status())
                    .isEqualTo(200);
            socket.sendText("{\"event\":\"progress\"}", true)
                    .get(Await.seconds(), TimeUnit.SECONDS);
            assertThat(closed.get(Await.seconds(), TimeUnit.SECONDS)).isEqualTo(1008);
        }
    }

    private static TestClient worker(ArtelNode node, String token) {
        return new TestClient(node.uri(), "X-Worker-Token", token);
    }

    private static WebSocket socket(ArtelNode node, String token, CompletableFuture<Integer> closed)
            throws Exception {
        var uri = URI.create(node.uri().toString().replaceFirst("^http", "ws") + "/_worker/ws/w1");
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("X-Worker-Token", token)
                .buildAsync(
                        uri,
                        new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onClose(
                                    WebSocket socket, int code, String reason) {
                                closed.complete(code);
                                return CompletableFuture.completedFuture(null);
                            }
                        })
                .get(Await.seconds(), TimeUnit.SECONDS);
    }

    @Test
    void aTokenInAFile_isForItsOwnerOnly_andNotPrinted() throws IOException {
        var file = data.resolve("for-bob");
        var done =
                tokens().add(
                                List.of("client", "bob"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(file));
        assertThat(done.token()).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var node = start()) {
            assertThat(whoami(node, Files.readString(file).strip()).object().string("client"))
                    .contains("bob");
        }
    }

    @Test
    void aTokenThatWasMadeElsewhere_isAddedByItsDigest() {
        var token = "made-elsewhere-0123456789";
        var _ =
                tokens().add(
                                ALICE,
                                Optional.empty(),
                                Optional.of(TokenDigest.of(token).hex()),
                                Optional.empty());
        try (var node = start()) {
            assertThat(whoami(node, token).status()).isEqualTo(200);
        }
    }

    @Test
    void whatCannotBeDone_isReportedWithWhatIsThere() {
        assertThatThrownBy(() -> add(List.of("client", "alicia")))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessage(
                        "token add client alicia: there is no client alicia; there are default,"
                                + " alice, bob. Add a table [alicia] to clients.toml first");
        assertThatThrownBy(() -> tokens().revoke("0123456789ab", Optional.empty()))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessageContaining(
                        "token revoke 0123456789ab: there is no such token; there are ")
                .hasMessageContaining(id(FIRST) + " (client alice)");
        assertThatThrownBy(() -> add(List.of("alice")))
                .hasMessageContaining("name whose it is: client NAME, worker ID, or workers");
        assertThatThrownBy(
                        () -> {
                            Files.writeString(
                                    data.resolve("access-tokens.json"), "{\"revision\":1");
                            add(ALICE);
                        })
                .hasMessageContaining(
                        "the register of tokens " + data.resolve("access-tokens.json"))
                .hasMessageContaining("restore it from a backup, or remove it");
        assertThatThrownBy(this::start).hasMessageContaining("the register of tokens ");
    }

    @Test
    void theList_namesEachTokenItsHolderItsEndAndItsSource_andNoToken() {
        var second = add(ALICE);
        var _ = tokens().revoke(id(FIRST), Optional.empty());

        var lines = tokens().list();

        assertThat(lines)
                .anyMatch(line ->
                        line.matches(id(second) + " +client alice +good +access-tokens.json"))
                .anyMatch(line ->
                        line.matches(id(FIRST) + " +client alice +revoked, ended .* clients.toml"))
                .anyMatch(line -> line.contains("client default") && line.contains("the settings"))
                .noneMatch(line -> line.contains(second) || line.contains(FIRST));
    }

    /// Trap: a client whose last token has ended prevents the next start.
    @Test
    void aClientWithoutAToken_preventsNoStart() throws StoreException {
        var _ = tokens().revoke(id(FIRST), Optional.empty());
        try (var node = start()) {
            assertThat(whoami(node, FIRST).status()).isEqualTo(401);
            assertThat(whoami(node, add(List.of("client", "bob"))).status()).isEqualTo(200);
        }
    }

    /// Trap: each change of any token reports again that a client with an added token has none in the file.
    @Test
    void aClientWithoutAToken_isWarnedOfOnce_andNotWhereOneWasAdded() {
        try (var log = LogLines.of(AccessControl.class.getName());
                var node = start()) {
            assertThat(ofBob(log)).hasSize(1);
            assertThat(ofBob(log).getFirst())
                    .startsWith("clients.toml:3: client bob has no token that is good")
                    .contains("./artel token add client bob");
            add(ALICE);
            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").status())
                    .isEqualTo(200);
            assertThat(ofBob(log)).hasSize(1);
            add(List.of("client", "bob"));
        }
        try (var log = LogLines.of(AccessControl.class.getName());
                var _ = start()) {
            assertThat(ofBob(log)).isEmpty();
            add(ALICE);
            assertThat(ofBob(log)).isEmpty();
        }
    }

    private static List<String> ofBob(LogLines log) {
        return log.texts().stream().filter(line -> line.contains("client bob")).toList();
    }

    /// Trap: tools that write the whole file, such as those of a fleet's configuration, cannot rotate.
    @Test
    void theFileItself_listsSeveralTokens_eachWithItsEnd() throws IOException {
        Files.writeString(
                data.resolve("clients.toml"),
                """
                [alice]
                tokens = [
                  { token_sha256 = "%s", expires = "2020-01-31T00:00:00Z" },
                  { token_sha256 = "%s", expires = "2999-01-31T00:00:00+01:00" },
                  { token = "third-token-of-alice-0" },
                ]
                """
                        .formatted(
                                TokenDigest.of(FIRST).hex(),
                                TokenDigest.of("second-token-of-alice").hex()));
        try (var node = start()) {
            assertThat(whoami(node, FIRST).detail())
                    .contains("has expired at 2020-01-31T00:00:00Z");
            assertThat(whoami(node, "second-token-of-alice").status()).isEqualTo(200);
            assertThat(whoami(node, "third-token-of-alice-0").status()).isEqualTo(200);

            Files.writeString(
                    data.resolve("clients.toml"),
                    "[alice]\ntokens = [{ token = \"a-token-of-alice-012\", expires = \"soon\" }, {}]\n");
            assertThat(TestClient.of(node).post("/api/v1/admin/reload", "").detail())
                    .contains("alice.tokens[0].expires must be a time with its zone")
                    .contains("alice.tokens[1] must have token or token_sha256");
        }
    }
}
