package dev.artel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.artel.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/// A server and a worker, in a process each, and this process as their client.
final class TestCluster implements AutoCloseable {
    private final LoadedServer server;
    private final ChildProcess worker;

    private TestCluster(LoadedServer server, ChildProcess worker) {
        this.server = server;
        this.worker = worker;
    }

    static TestCluster start(int tasksAtOnce) throws IOException {
        return start(tasksAtOnce, "http");
    }

    /// @param scheme of the address that the worker of the SDK gets, which selects its wire: `http`, `ws` or `zmq`
    static TestCluster start(int tasksAtOnce, String scheme) throws IOException {
        var server =
                LoadedServer.withFlags(
                        List.of("-Xmx1g", "-XX:+UseSerialGC"),
                        scheme.equals("zmq") ? new String[] {ServerProcess.ZEROMQ} : new String[0]);
        var worker =
                ChildProcess.start(
                        NoopWorker.class,
                        List.of("-Xmx256m", "-XX:+UseSerialGC"),
                        server.address(scheme),
                        server.workerToken(),
                        Integer.toString(tasksAtOnce));
        worker.line();
        return new TestCluster(server, worker);
    }

    HttpClient client() throws IOException {
        return server.client();
    }

    /// Waits for the job that `accepted` names to have finished.
    static void finished(HttpClient client, JsonObject accepted) throws IOException {
        var id = accepted.string("job_id").orElseThrow();
        for (var i = 0; i < 10; i++) {
            var status =
                    client.get("/api/v1/jobs/" + id + "?wait=30").string("status").orElseThrow();
            switch (status) {
                case "finished" -> {
                    return;
                }
                case "failed", "cancelled", "quarantined" ->
                        throw new IllegalStateException("job " + id + " is " + status);
                default -> {}
            }
        }
        throw new IllegalStateException("job " + id + " did not finish within 5 minutes");
    }

    /// The processor time that all three processes have used.
    Duration cpu() {
        var own = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Duration.ofNanos(own.getProcessCpuTime())
                .plus(server.process().cpu())
                .plus(worker.cpu());
    }

    /// The processor time that the orchestrator has used.
    Duration serverCpu() {
        return server.process().cpu();
    }

    long resetHeap() throws IOException {
        return Long.parseLong(server.process().ask("reset"));
    }

    long peakHeap() throws IOException {
        return Long.parseLong(server.process().ask("peak"));
    }

    @Override
    public void close() throws IOException {
        worker.close();
        server.close();
    }
}
