package dev.artel.e2e.chaos;

import dev.artel.server.ArtelServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One run of chaos: sets the scene, lets faults happen, calms down and checks.
final class Scene {
    /// The wires of the workers, one worker each: polled, pushed over one kind of channel, and all of them to fall back on.
    private static final List<List<String>> WIRES =
            List.of(List.of("http"), List.of("ws"), List.of("zmq"), List.of("zmq", "ws", "http"));

    private static final List<String> CLIENTS = List.of("alpha", "beta");
    private static final String OPERATOR = "oncall";
    private static final int THREADS_OF_CLIENT = 3;
    private static final int DISK_MEBIBYTES = 512;
    private static final String WORKER_TOKEN = "worker-token-of-the-chaos-0123456789";
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration TIMEOUT = Duration.ofMinutes(6);

    /// SIGKILL, which chaos sends, and the exit codes of an orchestrator that has met an error that it cannot go on after,
    /// and of one that cannot open its store for a minute.
    private static final List<Integer> EXITS = List.of(137, 70, 75);

    private final ChaosRun.Request request;
    private final Path folder;
    private final Findings findings = new Findings();
    private final Secrecy secrecy = new Secrecy(CLIENTS, findings);
    private final AcknowledgedJobs ledger = new AcknowledgedJobs();
    private final SplittableRandom random;
    private final int port;

    /// Of the sockets of ZeroMQ: registrations, tasks, results.
    private final List<Integer> zeroMqPorts;

    private final Queue<Supervised> processes = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Disk mounted;

    Scene(ChaosRun.Request request, Path folder) throws IOException {
        this.request = request;
        this.folder = folder;
        random = new SplittableRandom(request.seed());
        var ports = freePorts(4);
        port = ports.getFirst();
        zeroMqPorts = ports.subList(1, ports.size());
    }

    private static List<Integer> freePorts(int count) throws IOException {
        var open = new ArrayList<ServerSocket>();
        try {
            for (var i = 0; i < count; i++) {
                open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return open.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : open) {
                socket.close();
            }
        }
    }

    /// Ends all processes and gives the disk back, should the program be ended before its time.
    void abandon() {
        processes.forEach(Supervised::close);
        var left = mounted;
        if (left != null) {
            try {
                left.close();
            } catch (IOException stays) {
                System.err.println("chaos: " + stays.getMessage());
            }
        }
    }

    /// Plays it.
    ///
    /// @return what was found, with how often
    Map<String, Integer> play() throws IOException, InterruptedException {
        say("chaos for %s, seed %d, in %s".formatted(request.time(), request.seed(), folder));
        var data = Files.createDirectories(folder.resolve("data"));
        var disk = Disk.at(data, DISK_MEBIBYTES);
        mounted = disk.orElse(null);
        var clock = Clock.in(folder);
        try {
            Files.createDirectories(data.resolve("blueprints"));
            writeJar(data.resolve("blueprints").resolve("chaos.jar"));
            Files.writeString(data.resolve("clients.toml"), clients());
            play(data, disk, clock);
        } finally {
            mounted = null;
            if (disk.isPresent()) {
                disk.get().close();
            }
        }
        var found = findings.all();
        found.forEach((what, times) -> say("FOUND (" + times + "): " + what));
        say(found.isEmpty() ? "nothing was found" : "logs are in " + folder);
        return found;
    }

    private void play(Path data, Optional<Disk> disk, Optional<Clock> clock)
            throws IOException, InterruptedException {
        try (var receiver = new Receiver(findings);
                var orchestrator =
                        new Supervised("orchestrator", () -> launch(data, clock), _ -> {});
                var operator = api(OPERATOR);
                var workers = new Workers();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            processes.add(orchestrator);
            awaitReady(operator);
            workers.start();
            processes.addAll(workers.all);
            var chaos = new AtomicBoolean(true);
            var load = load(receiver, chaos, threads);
            threads.execute(new Prober(orchestrator, operator, findings, chaos::get));
            try (var beta = api("beta");
                    var intruder = new Api(uri(), WORKER_TOKEN, (_, _) -> {})) {
                var shared = new Load.Shared(ledger, secrecy, findings);
                var victims =
                        new ChaosFaults.Victims(
                                orchestrator,
                                workers.all,
                                disk,
                                clock,
                                new DatabaseLock(data.resolve("artel.db")),
                                receiver,
                                new Hostility(
                                        uri(), "beta", beta, intruder, findings, random.split()),
                                new Load("beta", beta, shared, receiver.uri(), random.split()),
                                ledger,
                                data.resolve("blueprints"));
                var chaosFaults = new ChaosFaults(victims, request.without(), random.split());
                if (!chaosFaults.missing().isEmpty()) {
                    say("left out: " + chaosFaults.missing());
                }
                chaosFaults.run(System.nanoTime() + request.time().toNanos());
                chaos.set(false);
                chaosFaults.end();
                say("done: " + chaosFaults.done());
            }
            await(load);
            calm(orchestrator, operator);
            // Handlers that never end would take the processors from those who read the histories.
            orchestrator.kill();
            awaitReady(operator);
            check(operator, receiver);
            if (!orchestrator.end()) {
                findings.add("the orchestrator did not end within 30 s of SIGTERM");
            }
            report(orchestrator);
        }
    }

    private List<Future<?>> load(Receiver receiver, AtomicBoolean chaos, ExecutorService threads) {
        var running = new ArrayList<Future<?>>();
        var shared = new Load.Shared(ledger, secrecy, findings);
        for (var client : CLIENTS) {
            for (var i = 0; i < THREADS_OF_CLIENT; i++) {
                var own = random.split();
                running.add(
                        threads.submit(() -> {
                            try (var api = api(client)) {
                                new Load(client, api, shared, receiver.uri(), own).run(chaos::get);
                            }
                            return null;
                        }));
            }
        }
        return running;
    }

    private void await(List<Future<?>> load) throws InterruptedException {
        for (var client : load) {
            try {
                client.get(2, TimeUnit.MINUTES);
            } catch (ExecutionException | TimeoutException failed) {
                findings.add("a client of this program failed: " + failed);
            }
        }
    }

    /// A hung handler ends with its process; cancelled jobs end whether or not it does. What still waits for a decision gets it.
    private void calm(Supervised orchestrator, Api operator) throws InterruptedException {
        if (!orchestrator.isUpSince(Duration.ZERO)) {
            LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
        }
        awaitReady(operator);
        say(ledger.jobs().size() + " jobs were acknowledged; they are looked at");
        for (var job : ledger.jobs()) {
            var load =
                    new Load(
                            OPERATOR,
                            operator,
                            new Load.Shared(ledger, secrecy, findings),
                            uri(),
                            random);
            var until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            switch (job.jobKind()) {
                case APPROVAL -> {
                    if (isOpen(operator, job)) {
                        load.approve(job.id(), () -> System.nanoTime() < until);
                    }
                }
                case SIGNAL, FUNCTION -> load.signal(job.id(), () -> System.nanoTime() < until);
                case FUNCTION_PEOPLE -> {
                    load.signal(job.id(), () -> System.nanoTime() < until);
                    if (isOpen(operator, job)) {
                        load.approve(job.id(), () -> System.nanoTime() < until);
                    }
                }
                case ENDLESS_LOOP, DEAF, HOARD -> {
                    var path = "/api/v1/jobs/" + job.id() + "/cancel";
                    var _ = operator.send("POST", path, new byte[0]);
                }
                case CHAIN,
                        FAN,
                        SAGA,
                        FAMILY,
                        TIMER,
                        FLAKY,
                        LARGE,
                        FUNCTION_CALLS,
                        FUNCTION_ALL,
                        FUNCTION_MAP,
                        FUNCTION_SLEEP,
                        FUNCTION_CHILDREN,
                        FUNCTION_SAGA -> {}
            }
        }
    }

    private static boolean isOpen(Api operator, AcknowledgedJobs.Entry job)
            throws InterruptedException {
        return operator.get("/api/v1/jobs/" + job.id() + "?fields=status")
                .filter(Api.Reply::isGood)
                .flatMap(reply -> reply.object().string("status"))
                .filter("finished"::equals)
                .isEmpty();
    }

    private void check(Api operator, Receiver receiver) throws IOException, InterruptedException {
        var clients = new LinkedHashMap<String, Api>();
        try {
            CLIENTS.forEach(client -> clients.put(client, api(client)));
            check(new Checker(operator, clients, findings, receiver));
        } finally {
            clients.values().forEach(Api::close);
        }
    }

    private void check(Checker checker) throws IOException, InterruptedException {
        var ended = checker.await(ledger, TIMEOUT);
        var effects = Effects.read(folder, findings);
        checker.check(ledger, ended, effects);
        say(
                "%d hand-outs had effects, %d outcomes were applied"
                        .formatted(effects.size(), checker.outcomes()));
        reportWires(effects);
        checker.ends().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(end -> say("  " + end.getKey() + ": " + end.getValue()));
    }

    /// Whatever ends and begins again, tasks come over each of the wires.
    private void reportWires(Effects effects) {
        var begun = effects.byWorker();
        say("hand-outs that each worker began: " + begun);
        for (var wires : WIRES) {
            if (!begun.containsKey(nameOf(wires))) {
                findings.add("no task came to the worker over " + wires);
            }
        }
    }

    private void report(Supervised orchestrator) {
        var exits = new LinkedHashMap<Integer, Integer>();
        orchestrator.exits().forEach(code -> exits.merge(code, 1, Integer::sum));
        say("exit codes of the orchestrator, and how often: " + exits);
        exits.keySet().stream()
                .filter(code -> !EXITS.contains(code))
                .forEach(code -> findings.add("the orchestrator ended with exit code " + code));
    }

    /// The worker processes.
    private final class Workers implements AutoCloseable {
        private final List<Supervised> all = new ArrayList<>();

        void start() throws IOException {
            for (var wires : WIRES) {
                var name = nameOf(wires);
                all.add(new Supervised(name, () -> worker(name, wires), _ -> {}));
            }
        }

        @Override
        public void close() {
            all.forEach(Supervised::close);
        }
    }

    private static String nameOf(List<String> wires) {
        return "worker-" + String.join("-", wires);
    }

    /// @param wires the schemes of the addresses that the worker gets, in its order
    private JavaProcess.Launch worker(String name, List<String> wires) {
        return new JavaProcess.Launch(
                RecordingWorker.class,
                "128m",
                JavaProcess.classPath(true),
                Map.of(),
                folder.resolve(name + ".log"),
                List.of(
                        wires.stream().map(this::address).collect(Collectors.joining(",")),
                        WORKER_TOKEN,
                        name,
                        folder.resolve("effects-" + name).toString()));
    }

    private String address(String scheme) {
        return scheme.equals("zmq")
                ? "zmq://127.0.0.1:%d?tasks=%d&results=%d"
                        .formatted(zeroMqPorts.get(0), zeroMqPorts.get(1), zeroMqPorts.get(2))
                : scheme + "://127.0.0.1:" + port;
    }

    private JavaProcess.Launch launch(Path data, Optional<Clock> clock) {
        var environment = new LinkedHashMap<String, String>();
        clock.ifPresent(fake -> environment.putAll(fake.environment()));
        environment.put("ARTEL_CLIENT_TOKEN", token("default"));
        environment.put("ARTEL_WORKER_TOKEN", WORKER_TOKEN);
        environment.put("ARTEL_SESSION_LEASE", "5s");
        environment.put("ARTEL_SESSION_HOLD", "5s");
        environment.put("ARTEL_ZEROMQ_ENABLED", "true");
        environment.put("ARTEL_ZEROMQ_REGISTRATION_PORT", zeroMqPorts.get(0).toString());
        environment.put("ARTEL_ZEROMQ_TASKS_PORT", zeroMqPorts.get(1).toString());
        environment.put("ARTEL_ZEROMQ_RESULTS_PORT", zeroMqPorts.get(2).toString());
        environment.put("ARTEL_WEBHOOKS_ALLOW_HTTP", "true");
        environment.put("ARTEL_WEBHOOKS_ALLOW_PRIVATE", "127.0.0.0/8");
        environment.put("ARTEL_WEBHOOKS_FIRST_PAUSE", "500ms");
        environment.put("ARTEL_WEBHOOKS_LONGEST_PAUSE", "2s");
        environment.put("ARTEL_WEBHOOKS_ATTEMPTS", "1000");
        return new JavaProcess.Launch(
                ArtelServer.class,
                "256m",
                JavaProcess.classPath(false),
                environment,
                folder.resolve("orchestrator.log"),
                List.of("--port", Integer.toString(port), "--data", data.toString()));
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static String token(String client) {
        return "client-token-of-" + client + "-0123456789";
    }

    private Api api(String client) {
        return new Api(
                uri(),
                token(client),
                client.equals(OPERATOR)
                        ? (_, _) -> {}
                        : (path, answer) -> secrecy.look(client, path, answer));
    }

    private static String clients() {
        var text = new StringBuilder();
        for (var client : CLIENTS) {
            text.append(
                    "[%s]%ntoken = \"%s\"%nrequests_per_minute = 1000000%n%n"
                            .formatted(client, token(client)));
        }
        return text.append(
                        "[%s]%ntoken = \"%s\"%nrole = \"operator\"%nrequests_per_minute = 1000000%n"
                                .formatted(OPERATOR, token(OPERATOR)))
                .toString();
    }

    private static void awaitReady(Api api) throws InterruptedException {
        var until = System.nanoTime() + START.toNanos();
        while (api.get("/readyz").filter(Api.Reply::isGood).isEmpty()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(
                        "the orchestrator was not ready within " + START.toSeconds() + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /// The classes of the blueprints, and who gives them.
    private static void writeJar(Path file) throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
            for (var type : List.of(ChaosBlueprints.class, ChaosFunctions.class, JobKind.class)) {
                var name = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(name));
                try (var bytes = type.getClassLoader().getResourceAsStream(name)) {
                    if (bytes == null) {
                        throw new IOException("the class path has no " + name);
                    }
                    bytes.transferTo(jar);
                }
            }
            jar.putNextEntry(
                    new JarEntry("META-INF/services/dev.artel.kernel.blueprint.BlueprintSource"));
            jar.write(ChaosBlueprints.class.getName().getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Deletes a folder with all in it.
    static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException left) {
            throw new UncheckedIOException("cannot delete " + folder, left);
        }
    }

    private static void say(String text) {
        System.out.println("chaos: " + text);
    }
}
