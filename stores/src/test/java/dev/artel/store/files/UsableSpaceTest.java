package dev.artel.store.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsableSpaceTest {
    @TempDir private Path folder;

    @Test
    void aFolder_hasRoom() throws IOException {
        assertThat(UsableSpace.of(folder)).isPositive();
    }

    @Test
    void whatIsNotThere_isNoFullDisk() {
        assertThatThrownBy(() -> UsableSpace.of(folder.resolve("nothing")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing: the system does not say; check that it is there");
    }
}
