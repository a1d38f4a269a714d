package dev.artel.actions;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ActionHosts;
import dev.artel.json.JsonObject;
import dev.artel.waits.Await;
import dev.artel.worker.PermanentFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that write whatever they like.
final class HostileAnswersTest extends ActionTestCase {
    /// The block of Deflate that has nothing in it, and is not the last one.
    private static final byte[] EMPTY_BLOCK = {0, 0, 0, (byte) 0xff, (byte) 0xff};

    private final ConcurrentLinkedQueue<Socket> accepted = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> heads = new ConcurrentLinkedQueue<>();
    private ServerSocket hostile;

    private interface Writing {
        void write(OutputStream out) throws IOException;
    }

    @BeforeEach
    void listen() throws IOException {
        hostile = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        actions.close();
        actions = actions("localhost:" + hostile.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        hostile.close();
        for (var socket : accepted) {
            socket.close();
        }
    }

    private void writes(Writing writing) {
        Thread.ofVirtual()
                .start(() -> {
                    try (var socket = hostile.accept()) {
                        accepted.add(socket);
                        var in = socket.getInputStream();
                        var head = new StringBuilder();
                        for (var next = in.read(); next >= 0; next = in.read()) {
                            head.append((char) next);
                            if (head.indexOf("\r\n\r\n") >= 0) {
                                break;
                            }
                        }
                        heads.add(head.toString());
                        writing.write(socket.getOutputStream());
                    } catch (IOException left) {
                        // The client has read enough.
                    }
                });
    }

    private void answers(String encoding, byte[] body) {
        writes(out -> {
            out.write(
                    ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: "
                                    + encoding
                                    + "\r\nContent-Length: "
                                    + body.length
                                    + "\r\n\r\n")
                            .getBytes(UTF_8));
            out.write(body);
        });
    }

    private JsonObject ask() throws Exception {
        return ask("");
    }

    private JsonObject ask(String more) throws Exception {
        return run(
                "http_request",
                "{'url':'http://localhost:" + hostile.getLocalPort() + "/'" + more + "}");
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    private static byte[] deflate(byte[] content, boolean isRaw) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed, new Deflater(9, isRaw))) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "identity, gzip"})
    void aBodyInGzip_isUnpacked(String encoding) throws Exception {
        answers(encoding, gzip("hello".repeat(1_000).getBytes(UTF_8)));

        var answer = ask();

        assertThat(answer.string("body")).contains("hello".repeat(1_000));
        var headers = answer.object("headers").orElseThrow();
        assertThat(headers.string("content-type")).contains("text/plain");
        assertThat(headers.has("content-encoding")).isFalse();
        assertThat(headers.has("content-length")).isFalse();
        assertThat(heads.remove()).contains("Accept-Encoding: gzip\r\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyInDeflate_isUnpacked_withAndWithoutTheHeadOfZlib(boolean isRaw) throws Exception {
        answers("deflate", deflate("hello".repeat(100).getBytes(UTF_8), isRaw));

        assertThat(ask().string("body")).contains("hello".repeat(100));
    }

    @Test
    void severalMembersOfGzip_withNamesAndComments_areOneBody() throws Exception {
        var content = gzip("world".getBytes(UTF_8));
        content[3] = 2 + 4 + 8 + 16;
        var named =
                joined(
                        Arrays.copyOf(content, 10),
                        new byte[] {3, 0, 7, 7, 7},
                        "name\0comment\0".getBytes(UTF_8),
                        new byte[2],
                        Arrays.copyOfRange(content, 10, content.length));
        answers("gzip", joined(gzip("hello ".getBytes(UTF_8)), named, new byte[3]));

        assertThat(ask().string("body")).contains("hello world");
    }

    @Test
    void anEncodingThatIsNotKnown_isLeftAsItIs() throws Exception {
        answers("br", "as it is".getBytes(UTF_8));

        var answer = ask(",'headers':{'Accept-Encoding':'br'}");

        assertThat(answer.string("body")).contains("as it is");
        assertThat(answer.object("headers").orElseThrow().string("content-encoding"))
                .contains("br");
        assertThat(heads.remove()).contains("Accept-Encoding: br\r\n").doesNotContain("gzip");
    }

    /// Trap: each layer comes to a thousand times as much work as the one around it.
    @Test
    void aBodyThatIsPackedInLayers_isRefused() throws Exception {
        answers("gzip, gzip", gzip(gzip("hello".getBytes(UTF_8))));

        assertThatThrownBy(this::ask)
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("the answer is packed 2 times");
    }

    @Test
    void whatIsTooLargeOnceItIsUnpacked_isRefused() throws Exception {
        answers("gzip", gzip(new byte[MAX_BYTES + 1]));

        assertThatThrownBy(this::ask)
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("more than 10000 bytes (actions.max-bytes)");
    }

    /// Trap: blocks that are empty come to nothing, and a reader that counts what comes out reads on for good.
    @Test
    void blocksWithoutEnd_thatAreEmpty_areRefused() {
        writes(out -> {
            out.write(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\037\213\010\0\0\0\0\0\0\003"
                            .getBytes(ISO_8859_1));
            while (true) {
                out.write(EMPTY_BLOCK);
            }
        });

        assertThatThrownBy(this::ask)
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("more than 10000 bytes (actions.max-bytes)");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "gzip|hello|the answer is not in gzip",
                "deflate|hello|the answer is not in deflate",
            },
            delimiter = '|')
    void whatIsNotInItsEncoding_isAFailureForNow(String encoding, String body, String message) {
        answers(encoding, body.getBytes(UTF_8));

        assertThatThrownBy(this::ask).isInstanceOf(IOException.class).hasMessageContaining(message);
    }

    @Test
    void whatBreaksOff_orHasChanged_isAFailureForNow() throws Exception {
        var whole = gzip("hello".repeat(100).getBytes(UTF_8));
        answers("gzip", Arrays.copyOf(whole, whole.length - 9));
        assertThatThrownBy(this::ask)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("breaks off");

        whole[whole.length - 6] ^= 1;
        answers("gzip", whole);
        assertThatThrownBy(this::ask)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its checksum is another");
    }

    /// Trap: interim answers come without a pause, and the thread that reads them leaves its processor to nobody.
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"})
    void interimAnswersWithoutEnd_areNotReadOn(String interim) {
        writes(out -> {
            while (true) {
                out.write(interim.repeat(100).getBytes(UTF_8));
            }
        });

        assertThatThrownBy(() -> ask(",'timeout':300"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the host sends much that is no part of an answer");
    }

    /// Trap: each byte of a body comes with kilobytes that belong to none.
    @Test
    void chunksWithLongExtensions_areNotReadOn() {
        writes(out -> {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(UTF_8));
            while (true) {
                out.write(("1;" + "x".repeat(5_000) + "\r\nx\r\n").getBytes(UTF_8));
            }
        });

        assertThatThrownBy(() -> ask(",'timeout':300"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the host sends much that is no part of an answer");
    }

    /// Trap: what reads a hostile answer is a virtual thread, which keeps its carrier from all others meanwhile.
    @Test
    void anAnswer_isReadByAThreadOfThePlatform() throws Exception {
        var isVirtual = new AtomicBoolean(true);
        try (var requests = new GuardedRequests(ActionHosts.of("localhost"), 1)) {
            answers("identity", "hello".getBytes(UTF_8));
            var request =
                    new HttpUriRequestBase(
                            "GET", URI.create("http://localhost:" + hostile.getLocalPort() + "/"));

            var status =
                    requests.send(
                            "client",
                            request,
                            Await.longest(),
                            (answer, _) -> {
                                isVirtual.set(Thread.currentThread().isVirtual());
                                return answer.getCode();
                            });

            assertThat(status).isEqualTo(200);
        }
        assertThat(isVirtual).isFalse();
    }

    /// Trap: each of many addresses of a name takes no connection, which keeps the request for as long as it may take.
    @Test
    void noMoreThanThreeAddressesOfAName_areTried() throws Exception {
        var tried =
                new InetAddress[] {
                    InetAddress.ofLiteral("127.0.0.2"),
                    InetAddress.ofLiteral("127.0.0.3"),
                    InetAddress.ofLiteral("127.0.0.4"),
                    hostile.getInetAddress()
                };
        answers("identity", "hello".getBytes(UTF_8));

        assertThatThrownBy(() -> status(tried)).isInstanceOf(HttpHostConnectException.class);
        assertThat(accepted).isEmpty();
        assertThat(status(Arrays.copyOfRange(tried, 1, 4))).isEqualTo(200);
    }

    /// Of the answer to a request to the port of the hostile server at `addresses`.
    private int status(InetAddress... addresses) throws IOException {
        try (var requests = new GuardedRequests(ActionHosts.of("localhost"), 1, _ -> addresses)) {
            var url = URI.create("http://localhost:" + hostile.getLocalPort() + "/");
            return requests.send(
                    "client",
                    new HttpUriRequestBase("GET", url),
                    Await.longest(),
                    (answer, _) -> answer.getCode());
        }
    }

    /// Trap: tasks whose names take a minute to resolve are cancelled, and each leaves a thread behind that nothing can end.
    @Test
    void requestsThatNobodyWaitsForAnyMore_haveTheirPlacesUntilTheyEnd() throws Exception {
        var resolve = new CountDownLatch(1);
        var resolving = new AtomicInteger();
        GuardedRequests.Resolver slow =
                host -> {
                    resolving.incrementAndGet();
                    awaitUninterruptibly(resolve);
                    throw new UnknownHostException(host);
                };
        try (var requests = new GuardedRequests(ActionHosts.of("localhost"), 4, slow)) {
            var cancelled = new ArrayList<Thread>();
            for (var i = 0; i < 20; i++) {
                cancelled.add(Thread.ofVirtual().start(() -> ask(requests, "eve")));
            }
            await().until(() -> resolving.get() == 4);
            cancelled.forEach(Thread::interrupt);
            for (var thread : cancelled) {
                assertThat(thread.join(Await.longest())).isTrue();
            }

            var bobs = Thread.ofVirtual().start(() -> ask(requests, "bob"));

            await().until(() -> resolving.get() == 5);
            assertThatThrownBy(() -> send(requests, "eve", Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("other requests took all places");
            resolve.countDown();
            assertThat(bobs.join(Await.longest())).isTrue();
            assertThat(resolving).hasValue(5);
        }
    }

    private static void ask(GuardedRequests requests, String owner) {
        try {
            var _ = send(requests, owner, Await.longest());
        } catch (IOException | CompletionException failed) {
            // Its name has no address, or it was cancelled.
        }
    }

    private static int send(GuardedRequests requests, String owner, Duration limit)
            throws IOException {
        return requests.send(
                owner,
                new HttpUriRequestBase("GET", URI.create("http://localhost:1/")),
                limit,
                (answer, _) -> answer.getCode());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        var isInterrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException asJavaResolves) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
