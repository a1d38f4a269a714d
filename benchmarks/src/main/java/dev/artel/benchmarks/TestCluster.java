package dev.artel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.artel.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/// A server and a worker, in a process each, and this process as their client.
final class TestCluster implements AutoCloseable {
    private final ChildProcess server;
    private final ChildProcess worker;
    private final int port;
    private final String clientToken;

    private TestCluster(ChildProcess server, ChildProcess worker, int port, String clientToken) {
        this.server = server;
        this.worker = worker;
        this.port = port;
        this.clientToken = clientToken;
    }

    static TestCluster start(int tasksAtOnce) throws IOException {
        return start(tasksAtOnce, "http");
    }

    /// @param scheme of the address that the worker gets, which selects its wire
    static TestCluster start(int tasksAtOnce, String scheme) throws IOException {
        var server = ChildProcess.start(ServerProcess.class, List.of("-Xmx1g", "-XX:+UseSerialGC"));
        var ready = server.line().split(" ", -1);
        var port = Integer.parseInt(ready[0]);
        var worker =
                ChildProcess.start(
                        NoopWorker.class,
                        List.of("-Xmx256m", "-XX:+UseSerialGC"),
                        scheme + "://127.0.0.1:" + port,
                        ready[2],
                        Integer.toString(tasksAtOnce));
        worker.line();
        return new TestCluster(server, worker, port, ready[1]);
    }

    HttpClient client() throws IOException {
        return new HttpClient(port, clientToken);
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
        return Duration.ofNanos(own.getProcessCpuTime()).plus(server.cpu()).plus(worker.cpu());
    }

    long resetHeap() throws IOException {
        return Long.parseLong(server.ask("reset"));
    }

    long peakHeap() throws IOException {
        return Long.parseLong(server.ask("peak"));
    }

    @Override
    public void close() throws IOException {
        worker.close();
        server.close();
    }
}
