package dev.artel.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.testkit.store.SampleAppends;
import org.junit.jupiter.api.Test;

/// What random jobs become on their way to bytes and back is tested by the simulation.
final class FoldCodecTest {
    private static final byte[] RULES = {1, 2, 3};
    private static final Job JOB =
            (Job)
                    Jobs.evolve(
                                    new JobState.Unsubmitted(new JobId("a")),
                                    SampleAppends.PLAIN.submit("a").events())
                            .after();

    private final FoldCodec codec = new FoldCodec(RULES);

    @Test
    void aFold_isReadAsItWasWritten() {
        var read = codec.decode(codec.encode(JOB)).orElseThrow();

        assertThat(read).isEqualTo(JOB);
        assertThat(Jobs.pending(read)).isEqualTo(Jobs.pending(JOB));
    }

    @Test
    void aFoldOfOtherRules_isNotRead() {
        assertThat(new FoldCodec(new byte[] {1, 2, 4}).decode(codec.encode(JOB))).isEmpty();
        assertThat(new FoldCodec(new byte[] {1, 2, 3, 4}).decode(codec.encode(JOB))).isEmpty();
    }

    @Test
    void aDamagedFold_isNotRead() {
        var bytes = codec.encode(JOB);

        for (var length = 0; length < bytes.length; length++) {
            assertThat(codec.decode(java.util.Arrays.copyOf(bytes, length)))
                    .as("the first %d bytes", length)
                    .isEmpty();
        }
    }

    @Test
    void theSameRules_haveTheSameDigest() {
        assertThat(RulesDigest.ofCode()).isEqualTo(RulesDigest.OF_THIS_PROCESS);
    }
}
