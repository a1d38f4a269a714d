package dev.artel.examples.trip;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Approval;
import dev.artel.client.ApprovalView;
import dev.artel.client.JobEvent;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The guide to jobs that cannot go on: each of its lines is sent as it stands there.
final class RecoveryTest extends TravelAgency {
    private static final Path GUIDE =
            Path.of(System.getProperty("basedir", "."), "../../docs/howto/recover-jobs.md");
    private static final Pattern LINE =
            Pattern.compile("curl -H \"\\$AUTH\" (?:-d '(.*)' )?\"?\\$API([^\"\\s]+)\"?");

    private static final String LIST = "/quarantine?";
    private static final String EXPLAIN = "/jobs/$JOB/explain";
    private static final String RELEASE = "/jobs/$JOB/quarantine/release";
    private static final String RETRY = "/jobs/$JOB/quarantine/retry";
    private static final String SKIP = "/jobs/$JOB/quarantine/skip";
    private static final String DISCARD = "/jobs/$JOB/quarantine/discard";
    private static final String RELEASE_MANY = "/quarantine/release?";
    private static final String REWIND = "/jobs/$JOB/rewind";
    private static final String FORK = "/jobs/$JOB/fork";
    private static final List<String> ALL =
            List.of(LIST, EXPLAIN, RELEASE, RETRY, SKIP, DISCARD, RELEASE_MANY, REWIND, FORK);

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.close();
    }

    private static List<String> lines() throws IOException {
        return Files.readString(GUIDE).lines().filter(it -> it.startsWith("curl")).toList();
    }

    @Test
    void eachLine_isSentByOneOfTheseTests() throws IOException {
        assertThat(lines())
                .hasSameSizeAs(ALL)
                .allMatch(line -> ALL.stream().anyMatch(what -> line.contains("$API" + what)));
    }

    /// The answer to the only line of the guide about `what`.
    private String send(String what, JobRef job) throws IOException, InterruptedException {
        var lines = lines().stream().filter(it -> it.contains("$API" + what)).toList();
        assertThat(lines).as("lines about %s", what).hasSize(1);
        var line = LINE.matcher(lines.getFirst());
        assertThat(line.matches()).as("%s", lines.getFirst()).isTrue();
        var body = line.group(1);
        var path = line.group(2).replace("$JOB", job.id());
        var request =
                HttpRequest.newBuilder(URI.create(node.uri() + "/api/v1" + path))
                        .timeout(LONGEST)
                        .header("Authorization", "Bearer " + node.clientToken())
                        .method(
                                body == null ? "GET" : "POST",
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode())
                .as("%s: %s", line.group(), answer.body())
                .isBetween(200, 204);
        return answer.body();
    }

    private JobRef nowhere(String traveller) {
        var job = trip(traveller, "Nowhere");
        awaitStatus(job, JobStatus.QUARANTINED);
        return job;
    }

    private static List<String> all(String member, String answer) {
        return Pattern.compile("\"" + member + "\":\"([^\"]*)\"")
                .matcher(answer)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void theList_hasTheReasons() throws Exception {
        var job = nowhere("Ada");

        var rows = send(LIST, job);

        assertThat(all("id", rows)).containsExactly(job.id());
        assertThat(all("error_message", rows))
                .singleElement()
                .asString()
                .contains("there is no hotel in Nowhere");
        assertThat(send(EXPLAIN, job)).contains("quarantine/release");
    }

    @Test
    void whatFailed_isTriedAgain() throws Exception {
        var job = nowhere("Ada");
        agency.build();

        send(RELEASE, job);

        question(job);
        assertThat(agency.done()).containsExactly("flight to Nowhere", "hotel in Nowhere");
        assertThat(client.history(job)).extracting(JobEvent::type).contains("quarantine.resolved");
    }

    @Test
    void aMistakeInTheData_isResolved() throws Exception {
        var job = nowhere("Ada");

        send(RETRY, job);

        question(job);
        assertThat(agency.done()).containsExactly("flight to Nowhere", "hotel in Oslo");
    }

    @Test
    void whatWasDoneByHand_counts() throws Exception {
        var job = nowhere("Ada");

        send(SKIP, job);

        question(job);
        assertThat(client.find(job).data().object("book_hotel"))
                .contains(JsonObject.of("hotel", JsonValue.of("a tent")));
    }

    @Test
    void whatIsNotWorthIt_ends_andIsCompensated() throws Exception {
        var job = nowhere("Ada");

        send(DISCARD, job);

        assertThat(end(job).error().orElseThrow()).contains("there is nothing to see there");
        assertThat(agency.done()).containsExactly("flight to Nowhere", "no flight to Nowhere");
    }

    @Test
    void manyJobs_areResolvedAtOnce_andOthersAreNot() throws Exception {
        var first = nowhere("Ada");
        var second = nowhere("Ben");
        var other = quarantinedForAnotherReason();
        agency.build();

        var answer = send(RELEASE_MANY, first);

        assertThat(answer).contains("\"matched\":2,\"over\":0,\"done\":2,", "\"failures\":[]");
        List.of(first, second).forEach(this::question);
        assertThat(client.find(other).status()).isEqualTo(JobStatus.QUARANTINED);
    }

    /// It was to be taken back, and the airline does not take back its flight.
    private JobRef quarantinedForAnotherReason() {
        var job = trip("Miss Stuck", "Oslo");
        question(job);
        client.rewind(job, "flight", JsonObject.EMPTY);
        awaitStatus(job, JobStatus.QUARANTINED);
        return job;
    }

    @Test
    void aJobThatWaits_isTakenBack_andCompensatedOnTheWay() throws Exception {
        var job = trip("Ada", "Oslo");
        question(job);

        send(REWIND, job);

        await().until(() -> agency.done().contains("hotel in Bergen"));
        assertThat(agency.done())
                .containsSubsequence("hotel in Oslo", "no hotel H-Oslo", "hotel in Bergen")
                .containsOnlyOnce("flight to Oslo");
    }

    @Test
    void aJobThatIsOver_isTakenUpByAnotherOne() throws Exception {
        var job = trip("Ada", "Oslo");
        decide(job, Approval.REJECT);
        end(job);

        var second = new JobRef(all("job_id", send(FORK, job)).getFirst());

        assertThat(question(second)).extracting(ApprovalView::message).asString().contains("Ada");
        assertThat(agency.done()).containsOnlyOnce("hotel in Oslo");
        assertThat(client.history(second)).extracting(JobEvent::type).contains("job.forked");
        assertThat(client.find(job).status()).isEqualTo(JobStatus.FAILED);
    }
}
