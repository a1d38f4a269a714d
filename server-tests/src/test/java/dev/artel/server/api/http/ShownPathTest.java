package dev.artel.server.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobId;
import org.junit.jupiter.api.Test;

final class ShownPathTest {
    private static final String TOKEN =
            LeaseToken.mint(new JobId("job-1"), 3, 2, 123_456_789).value();

    /// Trap: who reads the log of requests reports on the attempts of others with what stands in the paths.
    @Test
    void leaseTokens_areShownWithoutTheirProof_howeverTheyAreWritten() {
        for (var written :
                new String[] {
                    TOKEN, TOKEN.replace(".", "%2E"), TOKEN + ";a=b", TOKEN.replace("j", "%6a")
                }) {
            assertThat(ShownPath.of("/base/_worker/workers/w.1/tasks/" + written + "/logs"))
                    .isEqualTo("/base/_worker/workers/w.1/tasks/job-1.3.2/logs");
        }
    }

    @Test
    void whatIsNoLeaseToken_staysAsItIs() {
        for (var path :
                new String[] {
                    "/",
                    "",
                    "null",
                    "/api/v1/jobs/a%20b/history",
                    "/%zz/%",
                    "//a.b//",
                    "/" + "a.1.1.".repeat(400) + "x",
                    "/%20/."
                }) {
            assertThat(ShownPath.of(path)).isEqualTo(path);
        }
    }
}
