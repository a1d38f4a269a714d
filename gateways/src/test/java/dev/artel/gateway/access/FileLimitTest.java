package dev.artel.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FileLimitTest {
    @Test
    void theSoftLimit_isHowManyFilesTheProcessMayOpen() {
        var head = "Limit                     Soft Limit           Hard Limit           Units     ";
        var files =
                "Max open files            20000                524288               files     ";
        var none = "Max open files            unlimited            unlimited            files     ";

        assertThat(FileLimit.most(List.of(head, files))).isEqualTo(20_000);
        assertThat(FileLimit.most(List.of(head, none))).isEqualTo(Integer.MAX_VALUE);
        assertThat(FileLimit.most(List.of(head))).isEqualTo(Integer.MAX_VALUE);
        assertThat(FileLimit.most()).isPositive();
    }
}
