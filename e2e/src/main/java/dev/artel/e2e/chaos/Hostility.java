package dev.artel.e2e.chaos;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/// A client with a valid token, and a worker with the token of all workers, who mean no good.
final class Hostility {
    private static final List<String> READS =
            List.of("", "/explain", "/history", "/tasks/0", "/logs", "/approvals", "/webhooks");
    private static final List<String> LISTS =
            List.of(
                    "/api/v1/jobs?limit=1000",
                    "/api/v1/workers",
                    "/api/v1/dashboard",
                    "/api/v1/quarantine",
                    "/api/v1/stuck",
                    "/api/v1/blueprints",
                    "/api/v1/webhooks",
                    "/metrics",
                    "/readyz");
    private static final List<String> ACTS =
            List.of("/cancel", "/fork", "/rewind", "/signals/go", "/quarantine/discard");

    private final URI server;
    private final String name;
    private final Api client;
    private final Api worker;
    private final Findings findings;
    private final SplittableRandom random;

    /// @param name of the client
    Hostility(
            URI server,
            String name,
            Api client,
            Api worker,
            Findings findings,
            SplittableRandom random) {
        this.server = server;
        this.name = name;
        this.client = client;
        this.worker = worker;
        this.findings = findings;
        this.random = random;
    }

    /// Asks for all that the lists show, and for a job of somebody else whose id it has got hold of.
    void pry(AcknowledgedJobs.Entry victim) throws InterruptedException {
        for (var list : LISTS) {
            if (client.get(list).isEmpty()) {
                return;
            }
        }
        for (var read : READS) {
            var reply = client.get("/api/v1/jobs/" + victim.id() + read);
            if (!refuse(reply, "read" + read, victim)) {
                return;
            }
        }
        for (var act : ACTS) {
            var body = JsonObject.builder().put("id", "intruder").put("state", "done").build();
            var reply = client.post("/api/v1/jobs/" + victim.id() + act, body);
            if (!refuse(reply, "did" + act, victim)) {
                return;
            }
        }
    }

    /// Whether there was an answer; a good one is a finding.
    private boolean refuse(Optional<Api.Reply> reply, String what, AcknowledgedJobs.Entry victim) {
        reply.filter(Api.Reply::isGood)
                .ifPresent(answer ->
                        findings.add(name + " " + what + " of a job of " + victim.client()));
        return reply.isPresent();
    }

    /// Sends what no client should.
    void babble() throws InterruptedException {
        var answered = true;
        for (var round = 0; round < 20 && answered; round++) {
            var bytes = new byte[random.nextInt(2_000)];
            for (var i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) random.nextInt();
            }
            var path = random.nextBoolean() ? "/api/v1/jobs" : "/api/v1/jobs/chaos_chain";
            var deep = "[".repeat(random.nextInt(200, 20_000));
            answered =
                    refuse(client.send("POST", path, bytes))
                            && refuse(
                                    client.send(
                                            "POST",
                                            "/api/v1/jobs",
                                            deep.getBytes(StandardCharsets.US_ASCII)));
        }
        if (answered) {
            var _ = refuse(client.send("POST", "/api/v1/jobs", new byte[3 << 20]));
        }
    }

    /// Whether there was an answer; garbage is the sender's mistake and never an internal error.
    private boolean refuse(Optional<Api.Reply> reply) {
        reply.filter(answer -> answer.status() == 500)
                .ifPresent(answer -> findings.add("garbage was answered 500: " + answer.body()));
        return reply.isPresent();
    }

    /// Reports and heartbeats of a worker about tasks that it never got, in its own name and in those of others.
    void forge(AcknowledgedJobs.Entry victim) throws InterruptedException {
        var token = victim.id() + ".0.1." + Long.toString(random.nextLong() >>> 1, 36);
        for (var id : List.of("intruder", "worker-0")) {
            var result =
                    JsonObject.builder()
                            .put("worker_id", id)
                            .put("job_id", victim.id())
                            .put("task_id", token)
                            .put("status", "success")
                            .build();
            for (var path : List.of("/_worker/tasks/result", "/_worker/workers/" + id)) {
                var method = path.endsWith("result") ? "POST" : "PATCH";
                var body = JsonText.write(result);
                worker.send(method, path, body)
                        .filter(answer -> answer.status() == 500)
                        .ifPresent(answer ->
                                findings.add("a forged report was answered 500: " + path));
            }
        }
    }

    /// Opens connections, begins requests and never ends them.
    void dawdle(Duration time) throws IOException {
        var sockets = new ArrayList<Socket>();
        try {
            for (var i = 0; i < 50; i++) {
                var socket = new Socket(server.getHost(), server.getPort());
                sockets.add(socket);
                socket.getOutputStream()
                        .write(
                                "POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
            }
            LockSupport.parkNanos(time.toNanos());
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }
}
