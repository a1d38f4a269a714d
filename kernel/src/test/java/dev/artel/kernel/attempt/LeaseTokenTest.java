package dev.artel.kernel.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

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
}
