package dev.artel.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenFilesTest {
    @Test
    void theSoftLimit_isHowManyFilesTheProcessMayOpen() {
        var head = "Limit                     Soft Limit           Hard Limit           Units     ";
        var files =
                "Max open files            20000                524288               files     ";
        var none = "Max open files            unlimited            unlimited            files     ";

        assertThat(OpenFiles.most(List.of(head, files))).isEqualTo(20_000);
        assertThat(OpenFiles.most(List.of(head, none))).isEqualTo(Integer.MAX_VALUE);
        assertThat(OpenFiles.most(List.of(head))).isEqualTo(Integer.MAX_VALUE);
        assertThat(OpenFiles.most()).isPositive();
    }
}
