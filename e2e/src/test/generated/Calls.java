import dev.artel.waits.Await;
import generated.ApiClient;
import generated.ApiException;
import generated.api.BlueprintsApi;
import generated.api.JobsApi;
import generated.model.JobRequest;
import generated.model.JobRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a user of the generated client does with it; prints the outcome, for the test.
public final class Calls {
    private Calls() {}

    /// @param address where the orchestrator is
    /// @param token of a client
    public static String run(String address, String token) throws ApiException {
        var client = new ApiClient();
        client.updateBaseUri(address);
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        var jobs = new JobsApi(client);
        var results = new ArrayList<String>();

        for (var i = 0; i < 3; i++) {
            var wanted = new JobRequest().blueprint("echo").initialData(Map.of("n", i));
            results.add(jobs.submitJob(wanted, "key-" + i, null, null).getStatus().toString());
        }
        var found = ids(jobs);
        results.add(found.size() + " jobs");
        // Its handler may not have run yet.
        var job =
                Await.await("a job that waits for a worker")
                        .until(
                                () -> jobs.getJob(found.getFirst(), BigDecimal.ZERO, null),
                                it -> it.getStatus().toString().equals("waiting_for_worker"));
        results.add(job.getBlueprintName() + " " + job.getStatus());
        jobs.cancelJob(found.getFirst(), null, null, null);
        results.add(jobs.getJob(found.getFirst(), BigDecimal.valueOf(30), null).getStatus().toString());
        var events = jobs.listJobEvents(found.getFirst(), null, null, null).getItems();
        results.add(events.getFirst().getType());
        results.add(
                new BlueprintsApi(client)
                        .listBlueprints(1000, null)
                        .getItems().stream()
                        .map(each -> each.getName())
                        .filter("echo"::equals)
                        .findFirst()
                        .orElse("none"));
        try {
            jobs.getJob("nobody", null, null);
        } catch (ApiException refused) {
            results.add(refused.getCode() + " " + refused.getResponseBody().contains("job_not_found"));
        }
        return String.join(", ", results);
    }

    private static List<String> ids(JobsApi jobs) throws ApiException {
        var ids = new ArrayList<String>();
        String cursor = null;
        do {
            var page =
                    jobs.listJobs(
                            null, "echo", null, null, null, null, null, null, 2, cursor, null);
            page.getItems().stream().map(JobRow::getId).forEach(ids::add);
            cursor = page.getNextCursor();
        } while (cursor != null);
        return ids;
    }
}
