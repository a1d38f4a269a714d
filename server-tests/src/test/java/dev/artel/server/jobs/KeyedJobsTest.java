package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import org.junit.jupiter.api.Test;

/// The names of jobs that are submitted with idempotency keys.
final class KeyedJobsTest {
    private static final String ORDER = "{\"blueprint\":\"echo\",\"idempotency_key\":\"order-1\"}";

    private final Storage stores = TestNodes.storage();

    private ArtelNode node(Storage storage) {
        return ArtelNode.start(TestNodes.CONFIG, SampleBlueprints.all(), storage);
    }

    /// As orchestrators of earlier versions wrote them: without a secret.
    private Storage ofBefore() {
        return new Storage(stores.events(), stores.payloads(), stores.fleet());
    }

    /// Trap: who knows the name and the key of another client works out the id of its job.
    @Test
    void theIdOfAJobWithAKey_doesNotFollowFromClientAndKey() {
        String here;
        try (var node = node(stores)) {
            here = TestClient.of(node).submit(ORDER);
        }
        try (var other = node(TestNodes.storage())) {
            assertThat(TestClient.of(other).submit(ORDER)).isNotEqualTo(here);
        }
        assertThat(here).isNotEqualTo(JobId.named("default\0order-1").value());
        try (var node = node(stores)) {
            assertThat(TestClient.of(node).submit(ORDER)).isEqualTo(here);
        }
    }

    /// Trap: after an upgrade the order that is sent again is done again.
    @Test
    void aKeyOfAnEarlierDatabase_findsItsJob_andNewKeysGetSecretIds() {
        String before;
        try (var node = node(ofBefore())) {
            before = TestClient.of(node).submit(ORDER);
            assertThat(before).isEqualTo(JobId.named("default\0order-1").value());
        }
        try (var node = node(stores)) {
            var client = TestClient.of(node);
            assertThat(client.submit(ORDER)).isEqualTo(before);
            assertThat(client.submit(ORDER.replace("order-1", "order-2")))
                    .isEqualTo(client.submit(ORDER.replace("order-1", "order-2")))
                    .isNotEqualTo(JobId.named("default\0order-2").value());
            assertThat(client.post("/api/v1/jobs", ORDER.replace("}", ",\"priority\":7}")).status())
                    .isEqualTo(409);
        }
        assertThat(jobs(stores.events())).isEqualTo(2);
    }

    /// Trap: a fork with an earlier key is made a second time.
    @Test
    void aForkWithAKeyOfBefore_isFoundAgain() {
        var fork = "{\"state\":\"send\",\"idempotency_key\":\"fork-1\"}";
        String job;
        String before;
        try (var node = node(ofBefore())) {
            var client = TestClient.of(node);
            job = client.submit("{\"blueprint\":\"echo\"}");
            before = forked(client, job, fork);
        }
        try (var node = node(stores)) {
            assertThat(forked(TestClient.of(node), job, fork)).isEqualTo(before);
        }
        assertThat(jobs(stores.events())).isEqualTo(2);
    }

    private static String forked(TestClient client, String job, String fork) {
        var answer = client.post("/api/v1/jobs/" + job + "/fork", fork);
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return answer.object().string("job_id").orElseThrow();
    }

    private static long jobs(EventStore events) {
        return events.countByStatus().stream().mapToLong(count -> count.jobs()).sum();
    }

    /// Without a store for it there is no secret, and ids must be the same after a restart.
    @Test
    void whereNothingKeepsASecret_idsFollowFromTheKey() {
        String first;
        try (var node = node(ofBefore())) {
            first = TestClient.of(node).submit(ORDER);
        }
        try (var node = node(ofBefore())) {
            assertThat(TestClient.of(node).submit(ORDER)).isEqualTo(first);
        }
    }
}
