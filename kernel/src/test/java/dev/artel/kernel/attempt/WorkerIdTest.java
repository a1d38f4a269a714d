package dev.artel.kernel.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkerIdTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpu-1",
                "agent.render.001",
                "a worker",
                "\u0440\u0430\u0431\u043e\u0447\u0438\u0439",
                "\u5de5\u4eba"
            })
    void aNameThatPeopleCanRead_isTaken(String name) {
        assertThat(new WorkerId(name).value()).isEqualTo(name);
    }

    /// Trap: a worker is there under a name that looks like that of another one.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "gpu-1 ",
                " gpu-1",
                "gpu-1\u00a0",
                "gpu-1\u200b",
                "\u202egpu-1",
                "gpu\u2060-1",
                "gpu-1\n",
                "gpu-1\udb40\udc61x"
            })
    void aNameThatLooksLikeAnother_isRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkerId(name));
    }

    /// Trap: a browser takes these out of addresses, and a drain of the worker goes to another route.
    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void aNameThatNoAddressCanHave_isRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkerId(name));
    }

    @Test
    void aNameOfMoreThan200Characters_isRefused() {
        assertThat(new WorkerId("a".repeat(200)).value()).hasSize(200);
        assertThatIllegalArgumentException().isThrownBy(() -> new WorkerId("a".repeat(201)));
    }
}
