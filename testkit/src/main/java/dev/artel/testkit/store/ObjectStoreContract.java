package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.ObjectStore.Kept;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.VerifiedBytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every [ObjectStore] does. A test class of a store implements [#objects] and nothing else.
public interface ObjectStoreContract {
    /// The store under test: empty at the start of each test, and the same one throughout it.
    ObjectStore objects();

    /// Puts `content` and gives its digest.
    default String put(byte[] content) {
        var digest = VerifiedBytes.digestOf(content);
        objects().put(digest, content.length, () -> new BytesInMemory(content));
        return digest;
    }

    /// The content of `digest`, which must be there.
    default byte[] read(String digest) {
        var all = new ByteArrayOutputStream();
        try (var bytes = objects().open(digest).orElseThrow()) {
            var piece = new byte[10_000];
            for (var read = bytes.read(piece, 0, piece.length);
                    read >= 0;
                    read = bytes.read(piece, 0, piece.length)) {
                all.write(piece, 0, read);
            }
        }
        return all.toByteArray();
    }

    @Test
    default void aContent_isReadBack() {
        var digest = put(text("hello"));

        assertThat(read(digest)).isEqualTo(text("hello"));
        assertThat(objects().find(digest).orElseThrow().bytes()).isEqualTo(5);
    }

    @Test
    default void aLargeContent_isReadBack() {
        var content = new byte[3 << 20];
        for (var i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31 + (i >> 13));
        }

        assertThat(read(put(content))).isEqualTo(content);
    }

    @Test
    default void aPieceOfAContent_isReadAlone_andEndsWhereTheContentDoes() {
        var digest = put(text("one two three"));

        assertThat(piece(digest, 4, 3)).isEqualTo(text("two"));
        assertThat(piece(digest, 0, 13)).isEqualTo(text("one two three"));
        assertThat(piece(digest, 8, 100)).isEqualTo(text("three"));
        assertThat(piece(digest, 13, 1)).isEmpty();
        assertThat(objects().open(VerifiedBytes.digestOf(text("nothing")), 0, 1)).isEmpty();
    }

    /// A piece of the content of `digest`, which must be there.
    default byte[] piece(String digest, long from, int length) {
        var all = new ByteArrayOutputStream();
        try (var bytes = objects().open(digest, from, length).orElseThrow()) {
            var some = new byte[2];
            for (var read = bytes.read(some, 0, 2); read >= 0; read = bytes.read(some, 0, 2)) {
                all.write(some, 0, read);
            }
        }
        return all.toByteArray();
    }

    @Test
    default void whatIsNotThere_isNotThere() {
        var digest = VerifiedBytes.digestOf(text("nothing"));

        assertThat(objects().open(digest)).isEmpty();
        assertThat(objects().find(digest)).isEmpty();
        assertThat(objects().remove(digest, soon())).isFalse();
        assertThat(objects().list("", 10)).isEmpty();
    }

    /// A sender that gives a wrong digest would otherwise put its bytes in the place of another value.
    @Test
    default void aContentThatIsNotWhatItsDigestSays_isNotKept() {
        var digest = VerifiedBytes.digestOf(text("right"));

        assertThatThrownBy(() -> objects().put(digest, 5, () -> new BytesInMemory(text("wrong"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(digest)
                .hasMessageContaining(VerifiedBytes.digestOf(text("wrong")));
        assertThat(objects().find(digest)).isEmpty();
    }

    @Test
    default void aContentOfAnotherLength_isNotKept() {
        var digest = VerifiedBytes.digestOf(text("right"));

        for (var length : List.of(4, 6)) {
            assertThatThrownBy(() ->
                            objects().put(digest, length, () -> new BytesInMemory(text("right"))))
                    .as("%d bytes", length)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(digest)
                    .hasMessageContaining(length + " bytes");
            assertThat(objects().find(digest)).isEmpty();
        }
    }

    @Test
    default void aContentPutTwice_isThereOnce() {
        var digest = put(text("twice"));
        put(text("twice"));

        assertThat(objects().list("", 10)).extracting(Kept::digest).containsExactly(digest);
        assertThat(read(digest)).isEqualTo(text("twice"));
    }

    @Test
    default void onlyWhatWasPutBeforeThen_isRemoved() {
        var digest = put(text("young"));

        assertThat(objects().remove(digest, Instant.now().minus(Duration.ofHours(1)))).isFalse();
        assertThat(read(digest)).isEqualTo(text("young"));
        assertThat(objects().remove(digest, soon())).isTrue();
        assertThat(objects().open(digest)).isEmpty();
        assertThat(objects().remove(digest, soon())).isFalse();
    }

    @Test
    default void aContentThatWasRemoved_canBePutAgain() {
        var digest = put(text("again"));
        objects().remove(digest, soon());

        assertThat(read(put(text("again")))).isEqualTo(text("again"));
        assertThat(objects().find(digest)).isPresent();
    }

    @Test
    default void contents_areListedInTheOrderOfTheirDigests_pageByPage() {
        var digests =
                IntStream.range(0, 25).mapToObj(i -> put(text("content " + i))).sorted().toList();

        List<String> listed = new ArrayList<>();
        for (var page = objects().list("", 10);
                !page.isEmpty();
                page = objects().list(page.getLast().digest(), 10)) {
            assertThat(page.size()).isLessThanOrEqualTo(10);
            page.forEach(kept -> listed.add(kept.digest()));
        }

        assertThat(listed).isEqualTo(digests);
        assertThat(objects().list("", 1).getFirst().put())
                .isBetween(Instant.now().minus(Duration.ofMinutes(5)), soon());
    }

    /// A digest that is a path would reach the files of others.
    @Test
    default void aDigestThatIsAPath_isRefused() {
        var digest = "../".repeat(21) + "x";

        assertThatThrownBy(() -> objects().open(digest))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("no SHA-256 digest");
    }

    private static Instant soon() {
        return Instant.now().plus(Duration.ofHours(1));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
