package dev.artel.kernel.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LeaseTokenTest {
    private static final JobId JOB = new JobId("job");

    @Test
    void aToken_carriesTheWholeNonce_asAnUnsignedNumber() {
        var edges = LongStream.of(0, 1, 35, 36, -1, Long.MIN_VALUE, Long.MAX_VALUE);
        var random = new SplittableRandom(1).longs(1_000);

        LongStream.concat(edges, random)
                .forEach(nonce ->
                        assertThat(LeaseToken.mint(JOB, 7, 2, nonce).value())
                                .isEqualTo("job.7.2." + Long.toUnsignedString(nonce, 36)));
    }

    @Test
    void aToken_hasTheAddress_andTheAttempt_thatItWasMintedFor() {
        var edges = LongStream.of(0, 1, 35, 36, -1, Long.MIN_VALUE, Long.MAX_VALUE);
        var random = new SplittableRandom(2).longs(1_000);

        LongStream.concat(edges, random)
                .forEach(nonce -> {
                    var number = (int) (nonce & Integer.MAX_VALUE);
                    var token = LeaseToken.mint(JOB, number, number, nonce);
                    assertThat(token.address()).contains(new LeaseToken.Address(JOB, number));
                    assertThat(token.attempt()).hasValue(number);
                    assertThat(token.handOut()).isEqualTo("job." + number + "." + number);
                    assertThat(token.shown()).isEqualTo(token.handOut());
                });
    }

    /// Trap: a sign or the digits of another script are numbers to [Integer#parseInt(String)], and
    /// a task with a number below 0 is one that no job has and that each job is asked for.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "job.-1.1.x",
                "job.+1.1.x",
                "job.-0.1.x",
                "job.00.1.x",
                "job.01.1.x",
                "job.\u0661.1.x",
                "job.2147483648.1.x",
                "job.99999999999.1.x",
                "job..1.x",
                "job.1.-1.x",
                "job.1.+1.x",
                "job.1.01.x",
                "job.1..x",
                "job.1.1.",
                "job.1.1.-x",
                "job.1.1.0x",
                "job.1.1.X",
                "job.1.1.x.y",
                "job.1.1.x ",
                "job.1.1.3w5e11264sgsg",
                "job.1.1.10000000000000",
                "job.1.x",
                "job.1",
                "job",
                "job 1.1.1.x",
                ".1.1.x"
            })
    void aTokenThatIsNeverMinted_hasNoAddress(String value) {
        var token = new LeaseToken(value);

        assertThat(token.address()).isEmpty();
        assertThat(token.attempt()).isEmpty();
        assertThat(token.handOut()).isEmpty();
        assertThat(token.shown()).isEqualTo("unknown");
    }
}
