package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.protocol.Register;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Agents that registered with an earlier process of the orchestrator, without a broker.
final class RecalledAgentsTest {
    @ParameterizedTest
    @CsvSource({
        "30, 30",
        "0, 1",
        "-9223372036854775808, 1",
        "86401, 86400",
        "9223372036854775807, 86400"
    })
    void theLeaseOfAnAgentThatIsRecalled_hasTheBoundsOfAPassport(String label, long seconds) {
        var words =
                BusTestCase.json(
                        "{\"worker_id\":\"a\",\"supported_tasks\":[\"echo\"],\"instance\":\"i\",\"labels\":{\"mindbus.lease-seconds\":\"%s\"}}"
                                .formatted(label));

        assertThat(Passport.recalled(Register.read(words)))
                .hasValueSatisfying(passport ->
                        assertThat(passport.lease()).isEqualTo(Duration.ofSeconds(seconds)));
    }
}
