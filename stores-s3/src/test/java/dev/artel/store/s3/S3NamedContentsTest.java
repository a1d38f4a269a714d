package dev.artel.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import org.junit.jupiter.api.Test;

final class S3NamedContentsTest {
    @Test
    void whatWasWrittenLast_isRead_besideContentsUnderTheSamePrefix() throws Exception {
        var server = S3Server.start();
        try {
            var place = server.bucket("names").withPrefix("copy/");
            try (var names = S3NamedContents.in(place);
                    var objects = S3ObjectStore.open(place)) {
                assertThat(names.read("head.json")).isEmpty();

                names.write("head.json", "one".getBytes(UTF_8));
                names.write("head.json", "two".getBytes(UTF_8));

                assertThat(names.read("head.json").orElseThrow()).isEqualTo("two".getBytes(UTF_8));
                assertThat(objects.list("", 10)).isEmpty();
                server.remove("names");
                assertThatThrownBy(() -> names.write("head.json", new byte[1]))
                        .isInstanceOf(StoreUnavailable.class)
                        .hasMessageContaining("head.json");
            }
        } finally {
            server.stop();
        }
    }
}
