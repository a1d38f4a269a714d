package dev.artel.e2e.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Hostile frames against a server in a process of its own, over real sockets. `./artel fuzz` sends more of them.
@Execution(ExecutionMode.CONCURRENT)
final class FuzzTest {
    private static final long FRAMES = 4_000;
    private static final long SEED = Long.getLong("seed", 20_261_126);

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(FuzzedWire.class)
    @Tag("long")
    @Timeout(Await.HUNG)
    void hostileFrames_areRefusedWithACode_leaveNothingBehind_andDisturbNobody(FuzzedWire wire)
            throws Exception {
        wire.service.ifPresent(OptionalService::assumePresent);

        var report = new FuzzCampaign(wire, FRAMES, SEED, _ -> {}).run(folder);

        assertThat(report.findings()).as("-Dseed=%d, %s", SEED, report.outcomes()).isEmpty();
        assertThat(report.frames()).isGreaterThanOrEqualTo(FRAMES);
        assertThat(report.times().count()).isPositive();
        assertThat(report.outcomes().keySet()).contains(outcomes(wire));
    }

    /// Those that show how far frames get: refused at the door, in the middle, and taken.
    private static String[] outcomes(FuzzedWire wire) {
        return switch (wire) {
            case HTTP ->
                    new String[] {
                        "http 200",
                        "http 400 bad_request",
                        "http 400 incomplete_body",
                        "http 400 invalid_body",
                        "http 400 invalid_json",
                        "http 401 unauthenticated",
                        "http 403 forbidden"
                    };
            case WS ->
                    new String[] {
                        "close 1002",
                        "close 4001",
                        "close 4400",
                        "error invalid_body",
                        "registration false",
                        "registration true",
                        "upgrade 401 unauthenticated",
                        "work_request"
                    };
            case ZEROMQ ->
                    new String[] {
                        "REGISTRATION REJECT BAD_CAPACITY",
                        "REGISTRATION REJECT BAD_TOKEN",
                        "REGISTRATION WELCOME",
                        "RESULTS CALL_FAILED BAD_TOKEN",
                        "RESULTS RESULT_ACK",
                        "TASKS REJECT BAD_FRAME",
                        "TASKS TASK"
                    };
            case RABBITMQ -> new String[] {"channel closed 406", "command", "dead letters"};
            case REDIS -> new String[] {"value FAILED", "value none"};
        };
    }

    @Test
    void options_areRead_andWrongOnesRefused() {
        assertThat(FuzzRun.Request.of(List.of("--wire", "ws", "--frames", "7", "--seed", "3")))
                .isEqualTo(new FuzzRun.Request(Set.of(FuzzedWire.WS), 7, 3));
        assertThat(FuzzRun.Request.of(List.of()).wires()).hasSize(5);
        for (var wrong :
                List.of(
                        List.of("--wire", "smoke"),
                        List.of("--frames", "0"),
                        List.of("--frames", "many"),
                        List.of("--seed"),
                        List.of("--speed", "1"))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .as("%s", wrong)
                    .isThrownBy(() -> FuzzRun.Request.of(wrong))
                    .withMessageContaining(wrong.getFirst());
        }
    }
}
