package dev.artel.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.ObjectStore.Kept;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.testkit.store.ObjectStoreContract;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

final class S3ObjectStoreTest implements ObjectStoreContract {
    private static S3Server server;
    private static int buckets;

    private S3Settings place;
    private S3ObjectStore store;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    @BeforeEach
    void open() {
        place = server.bucket("bucket-" + buckets++).withPrefix("artel/");
        store = S3ObjectStore.open(place);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    public ObjectStore objects() {
        return store;
    }

    @Test
    void twoPrefixes_doNotSeeEachOther() {
        try (var other = S3ObjectStore.open(place.withPrefix("other/"))) {
            var digest = put("mine".getBytes(StandardCharsets.UTF_8));

            assertThat(other.open(digest)).isEmpty();
            assertThat(other.list("", 10)).isEmpty();
            assertThat(store.list("", 10)).extracting(Kept::digest).containsExactly(digest);
        }
    }

    /// A writer to the bucket could otherwise change the values of a job.
    @Test
    void anObjectThatWasChanged_isCorrupt() {
        var digest = put("right".getBytes(StandardCharsets.UTF_8));
        overwrite(digest, "wrong");

        assertThatThrownBy(() -> read(digest))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("artel/" + digest)
                .hasMessageContaining(place.bucket())
                .hasMessageContaining("found 5 bytes with digest");
    }

    /// Trap: a pass over all values ends at the first page that has none, and all behind it stay forever.
    @Test
    void objectsOfOthersUnderThePrefix_doNotEndTheList() {
        var digest = put("mine".getBytes(StandardCharsets.UTF_8));
        for (var i = 0; i < 5; i++) {
            overwrite("." + i, "of somebody else");
        }

        assertThat(store.list("", 2)).extracting(Kept::digest).containsExactly(digest);
        assertThat(store.list(digest, 2)).isEmpty();
    }

    private void overwrite(String digest, String text) {
        var client = S3ObjectStore.client(place);
        try (client) {
            client.putObject(
                    request -> request.bucket(place.bucket()).key("artel/" + digest),
                    RequestBody.fromString(text));
        }
    }

    @Test
    void aBucketThatIsNotThere_isNamed() {
        assertThatThrownBy(() -> S3ObjectStore.open(place.withBucket("no-such-bucket")))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("opening bucket no-such-bucket at http://127.0.0.1:")
                .hasMessageContaining("404")
                .hasMessageContaining("make the bucket, or correct payloads.s3.bucket");
    }

    @Test
    void wrongKeys_areRefused_andNotShown() {
        var wrong = new S3Settings.Keys("access-of-the-tests", "a-wrong-secret-of-somebody");

        assertThatThrownBy(() -> S3ObjectStore.open(place.withKeys(wrong)))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("403")
                .hasMessageContaining("payloads.s3.secret-key")
                .hasMessageNotContaining("a-wrong-secret");
        assertThat(place.withKeys(wrong).toString()).doesNotContain("a-wrong-secret");
        assertThat(wrong.toString()).doesNotContain("a-wrong-secret");
    }

    @Test
    void aStoreThatDoesNotAnswer_isUnavailable_afterSomeTries() throws Exception {
        int closed;
        try (var socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        var nobody = place.withEndpoint(URI.create("http://127.0.0.1:" + closed));

        assertThatThrownBy(() -> S3ObjectStore.open(nobody))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("at http://127.0.0.1:" + closed)
                .hasMessageContaining("check payloads.s3.endpoint");
    }

    @Test
    void aBucketThatIsGone_isReportedWithAdvice() {
        server.remove(place.bucket());

        assertThatThrownBy(() -> store.list("", 10))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("listing bucket " + place.bucket())
                .hasMessageContaining("404 NoSuchBucket")
                .hasMessageContaining("make the bucket");
    }

    /// A key that may do nothing is found out at the first value, with the name of the value.
    @Test
    void keysThatAreNoLongerGood_areReportedWithTheKeyOfTheObject() {
        var digest = VerifiedBytes.digestOf("value".getBytes(StandardCharsets.UTF_8));
        var wrong = new S3Settings.Keys("access-of-the-tests", "a-wrong-secret-of-somebody");

        try (var other = S3ObjectStore.notAsked(place.withKeys(wrong))) {
            assertThatThrownBy(() -> other.open(digest))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("reading payload artel/" + digest)
                    .hasMessageContaining("in bucket " + place.bucket())
                    .hasMessageContaining("403")
                    .hasMessageContaining("GetObject");
        }
    }
}
