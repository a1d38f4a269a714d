package dev.artel.config;

import static dev.artel.config.SettingParsers.amqpUri;
import static dev.artel.config.SettingParsers.bytes;
import static dev.artel.config.SettingParsers.duration;
import static dev.artel.config.SettingParsers.headers;
import static dev.artel.config.SettingParsers.list;
import static dev.artel.config.SettingParsers.modelUri;
import static dev.artel.config.SettingParsers.notBlank;
import static dev.artel.config.SettingParsers.oneOf;
import static dev.artel.config.SettingParsers.part;
import static dev.artel.config.SettingParsers.path;
import static dev.artel.config.SettingParsers.redisUri;
import static dev.artel.config.SettingParsers.timesByBlueprint;
import static dev.artel.config.SettingParsers.uri;
import static dev.artel.config.SettingParsers.whole;
import static dev.artel.config.SettingParsers.yesOrNo;

import dev.artel.engine.shell.HandlerPlaces;
import dev.artel.engine.shell.KeepClosed;
import dev.artel.engine.shell.StallSettings;
import dev.artel.gateway.access.NamePatterns;
import dev.artel.gateway.http.GatewayConfig;
import dev.artel.gateway.mindbus.BusDoor;
import dev.artel.gateway.zeromq.ZeroMqConfig.Ports;
import dev.artel.session.SessionSettings;
import dev.artel.store.s3.S3Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.event.Level;

/// All settings.
final class SettingKeys {
    private static final int MOST = Integer.MAX_VALUE;

    static final List<Key> ALL =
            List.of(
                    new Key(
                            "data",
                            "the folder for jobs and tokens",
                            of((c, v) -> c.withData(path(v)))),
                    http("host", "the address to listen on", HttpSettings::withHost),
                    http(
                            "port",
                            "the port to listen on; 0: any free one",
                            (h, v) -> h.withPort(whole(v, 0, 65_535))),
                    http(
                            "max-body-bytes",
                            "larger bodies of clients are refused",
                            (h, v) -> h.withMaxBodyBytes(bytes(v))),
                    http(
                            "max-header-bytes",
                            "larger heads of requests are refused",
                            (h, v) -> h.withMaxHeaderBytes(bytes(v))),
                    http(
                            "idle-timeout",
                            "a connection on which nothing happens for so long is closed",
                            (h, v) -> h.withTimeouts(duration(v), h.requestLimit())),
                    http(
                            "request-limit",
                            "how long a request may take to arrive",
                            (h, v) -> h.withTimeouts(h.idleTimeout(), duration(v))),
                    http(
                            "max-connections",
                            "how many connections are open at once",
                            (h, v) -> h.withMaxConnections(whole(v, 1, MOST))),
                    http(
                            "max-streams",
                            "how many streams of events are open at once",
                            (h, v) -> h.withShared(h.shared().withStreams(whole(v, 1, MOST)))),
                    http(
                            "max-waits",
                            "how many requests wait for the end of a job at once",
                            (h, v) -> h.withShared(h.shared().withWaits(whole(v, 1, MOST)))),
                    new Key(
                            "tokens.client",
                            "the token of the client default; both tokens or none",
                            ConfigBuilder::withClientToken),
                    new Key(
                            "tokens.worker",
                            "the token of all workers without one of their own",
                            ConfigBuilder::withWorkerToken),
                    new Key(
                            "tls.certificate",
                            "PEM file of the certificate and its chain",
                            (d, v) -> d.withCertificate(path(v))),
                    new Key(
                            "tls.key",
                            "PEM file of its private key, PKCS#8",
                            (d, v) -> d.withKey(path(v))),
                    new Key(
                            "tls.client-authorities",
                            "PEM file of the authorities whose certificates name workers and clients; none",
                            (d, v) -> d.withAuthorities(path(v))),
                    new Key(
                            "tls.client-certificates",
                            "whether callers show a certificate: off, optional or required; optional where there are authorities",
                            (d, v) -> d.withClientCertificates(mode(v))),
                    ingress(
                            "proxy.trusted",
                            "addresses and networks whose X-Forwarded-* headers are believed",
                            (d, v) -> d.withProxy(d.proxy().withTrusted(list(v)))),
                    ingress(
                            "proxy.base-path",
                            "under which all paths are, such as /artel",
                            (d, v) -> d.withProxy(d.proxy().withBasePath(v.strip()))),
                    ingress(
                            "proxy.public-url",
                            "where people reach it, for links to them, such as https://artel.example.org",
                            (d, v) -> d.withProxy(d.proxy().withPublicUrl(v.strip()))),
                    ingress(
                            "proxy.forwarded",
                            "whether the header Forwarded of those is believed, too",
                            (d, v) -> d.withProxy(d.proxy().withForwarded(yesOrNo(v)))),
                    access(
                            "clients",
                            "the file of clients; clients.toml in the data folder",
                            (a, v) -> a.withClients(path(v))),
                    access(
                            "workers",
                            "the file of workers; workers.toml in the data folder",
                            (a, v) -> a.withWorkers(path(v))),
                    access(
                            "shared-worker-token",
                            "whether workers without a token of their own are let in",
                            (a, v) -> a.withSharedWorkerToken(yesOrNo(v))),
                    access(
                            "connections-per-token",
                            "connections of workers that stay open under one token for all of them; 0: any",
                            (a, v) -> a.withConnections(whole(v, 0, MOST))),
                    rate(
                            "heartbeats",
                            "heartbeats of a worker in a minute; 0: any",
                            AccessSettings.Rates::withHeartbeats),
                    rate(
                            "polls",
                            "polls of a worker in a minute that bring nothing; 0: any",
                            AccessSettings.Rates::withPolls),
                    rate(
                            "others",
                            "other requests of a worker in a minute; 0: any",
                            AccessSettings.Rates::withOthers),
                    rate(
                            "clients",
                            "requests of a client in a minute; 0: any",
                            AccessSettings.Rates::withClients),
                    access(
                            "rates.bytes",
                            "bytes of large values and logs of a worker in a minute; 0: any",
                            (a, v) -> a.withRates(a.rates().withBytes(bytes(v)))),
                    rate(
                            "known",
                            "how many workers and clients are counted at once",
                            AccessSettings.Rates::withKnown),
                    access(
                            "sessions.idle",
                            "how long people stay logged in at the dashboard without using it; 12h",
                            (a, v) -> a.withSessions(a.sessions().withIdle(sessionTime(v)))),
                    access(
                            "sessions.longest",
                            "how long people stay logged in at the dashboard in any case; 7d",
                            (a, v) -> a.withSessions(a.sessions().withLongest(sessionTime(v)))),
                    ingress(
                            "logs.access",
                            "the file in which each request is a line; none",
                            (d, v) -> d.withLogs(d.logs().withAccess(path(v)))),
                    ingress(
                            "logs.audit",
                            "the file in which each change is a line; audit.jsonl in the data folder",
                            (d, v) -> d.withLogs(d.logs().withAudit(path(v)))),
                    ingress(
                            "logs.audit-keep",
                            "how long its lines, and those of refused.jsonl, are kept; from 1d",
                            (d, v) ->
                                    d.withLogs(
                                            d.logs()
                                                    .withKept(
                                                            d.logs()
                                                                    .kept()
                                                                    .withTime(duration(v))))),
                    ingress(
                            "logs.audit-max-bytes",
                            "how much room each of both may take, whatever its age; from 1MiB",
                            (d, v) ->
                                    d.withLogs(
                                            d.logs()
                                                    .withKept(
                                                            d.logs().kept().withBytes(bytes(v))))),
                    ingress(
                            "logs.level",
                            "what is logged at least: error, warn, info, debug or trace",
                            (d, v) -> d.withLogs(d.logs().withLevel(oneOf(Level.class, v)))),
                    ingress(
                            "logs.format",
                            "how lines of the log look: text or json",
                            (d, v) ->
                                    d.withLogs(
                                            d.logs()
                                                    .withFormat(
                                                            oneOf(LogSettings.Format.class, v)))),
                    ingress(
                            "operations.listen",
                            "ADDRESS:PORT for figures and health alone, without tokens; none",
                            (d, v) ->
                                    d.withOperations(
                                            d.operations()
                                                    .withListen(
                                                            OperationsSettings.Listen.of(
                                                                    v.strip())))),
                    ingress(
                            "operations.metrics-token",
                            "what who asks for figures elsewhere has to send as a bearer's; none",
                            (d, v) ->
                                    d.withOperations(
                                            d.operations().withMetricsToken(new Secret(v)))),
                    traces(
                            "otlp-endpoint",
                            "a collector of OpenTelemetry that takes OTLP over HTTP: http://localhost:4318; none",
                            (t, v) -> t.withEndpoint(uri(v))),
                    traces(
                            "otlp-headers",
                            "headers for it, such as its key: NAME=VALUE,NAME=VALUE; none",
                            (t, v) -> t.withHeaders(headers(v))),
                    traces(
                            "sample-ratio",
                            "the part of the jobs submitted without a trace that are traced, from 0 to 1; 1",
                            (t, v) -> t.withRatio(part(v))),
                    traces(
                            "service-name",
                            "the name of the orchestrator in its traces; artel",
                            (t, v) -> t.withService(notBlank(v))),
                    redis(
                            "uri",
                            "where submitters leave tasks: redis://USER:PASSWORD@HOST:PORT/DB; none",
                            (r, v) -> r.withUri(redisUri(v))),
                    redis(
                            "tasks-channel",
                            "the channel on which the keys of tasks are published; Tasks",
                            (r, v) -> r.withChannel(notBlank(v))),
                    redis(
                            "tasks-keys",
                            "the keys that can be those of tasks, as a pattern of SCAN; *",
                            (r, v) -> r.withKeys(notBlank(v))),
                    redis(
                            "tasks-scan",
                            "how often all keys are looked through for tasks that were not heard of; 30s",
                            (r, v) ->
                                    r.withScan(
                                            duration(
                                                    v,
                                                    Duration.ofMillis(100),
                                                    Duration.ofDays(1)))),
                    redis(
                            "tasks-keep",
                            "how long the value of a task stays after its end; as the submitter set",
                            (r, v) ->
                                    r.withKeep(
                                            duration(
                                                    v,
                                                    Duration.ofSeconds(1),
                                                    Duration.ofDays(3650)))),
                    redis(
                            "client",
                            "the client whose jobs these tasks are; redis, which needs no table in clients.toml",
                            (r, v) -> r.withClient(notBlank(v))),
                    redis(
                            "task-types",
                            "the types of tasks that are allowed there: resize, photo_*; all but built-in actions,"
                                    + " which are named in full",
                            (r, v) -> r.withTaskTypes(NamePatterns.of(v))),
                    redis(
                            "blueprints",
                            "the blueprints of jobs that are allowed there: order, photo_*; all",
                            (r, v) -> r.withBlueprints(NamePatterns.of(v))),
                    actions(
                            "enabled",
                            "whether the orchestrator does tasks such as http_request itself; true",
                            (a, v) -> a.withEnabled(yesOrNo(v))),
                    actions(
                            "shared",
                            "whether workers that offer the types of these tasks get some of them, with the secrets in their parameters; false",
                            (a, v) -> a.withShared(yesOrNo(v))),
                    actions(
                            "http-hosts",
                            "hosts that http_request may reach, with commas: api.example.com, localhost:8089, *.example.com, *; none",
                            (a, v) -> a.withHosts(ActionHosts.of(v))),
                    actions(
                            "slots",
                            "how many tasks of its own the orchestrator does at a time; 32",
                            (a, v) -> a.withSlots(whole(v, 1, 10_000))),
                    actions(
                            "folder",
                            "where file_storage keeps files; files in the data folder",
                            (a, v) -> a.withFolder(path(v))),
                    actions(
                            "max-bytes",
                            "the most bytes of a file, and of the answer to http_request; 1MiB",
                            (a, v) -> a.withMaxBytes(bytes(v))),
                    actions(
                            "secrets",
                            "the file of the secrets that cards name; secrets.toml in the data folder",
                            (a, v) -> a.withSecrets(path(v))),
                    actions(
                            "llm-url",
                            "where the API of the language model of llm_generate begins, as that of OpenAI: http://localhost:11434/v1; none",
                            (a, v) -> a.withModelUri(modelUri(v))),
                    actions(
                            "llm-model",
                            "the language model that llm_generate asks if a task names none",
                            (a, v) -> a.withModelName(notBlank(v))),
                    actions(
                            "llm-key",
                            "the key of the language model, sent as a bearer's; none",
                            (a, v) -> a.withModelKey(new Secret(v))),
                    new Key(
                            "blueprints.folder",
                            "the folder with the jars of blueprints; blueprints in the data folder",
                            of((c, v) ->
                                    c.withBlueprints(
                                            c.blueprints().withFolder(existing(path(v)))))),
                    new Key(
                            "blueprints.strict",
                            "whether a version of a blueprint with another graph prevents the start",
                            of((c, v) -> c.withBlueprints(c.blueprints().withStrict(yesOrNo(v))))),
                    new Key(
                            "blueprints.upload",
                            "whether operators may upload jars of blueprints, which are code, and cards; false",
                            of((c, v) -> c.withBlueprints(c.blueprints().withUpload(yesOrNo(v))))),
                    new Key(
                            "blueprints.cards",
                            "a folder of process cards that are taken up when they change; none",
                            of((c, v) ->
                                    c.withBlueprints(c.blueprints().withCards(existing(path(v)))))),
                    new Key(
                            "schedules.file",
                            "a file with schedules; schedules.toml in the data folder",
                            of((c, v) ->
                                    c.withBlueprints(c.blueprints().withSchedules(file(path(v)))))),
                    webhook(
                            "allow-private",
                            "networks that webhooks may call although they are not public; none",
                            (w, v) -> w.withAllowPrivate(list(v))),
                    webhook(
                            "allow-http",
                            "whether webhooks may be called without TLS",
                            (w, v) -> w.withAllowHttp(yesOrNo(v))),
                    webhook(
                            "trusted",
                            "PEM file of certificates that webhooks trust beside those of the Java runtime; none",
                            (w, v) -> w.withTrusted(path(v))),
                    retries(
                            "attempts",
                            "how often a webhook is tried at most",
                            (p, v) ->
                                    new WebhookSettings.Retries(
                                            whole(v, 1, 1000),
                                            p.firstPause(),
                                            p.longestPause(),
                                            p.longest(),
                                            p.timeout())),
                    retries(
                            "first-pause",
                            "after the first attempt to call a webhook; the next ones are longer",
                            (p, v) ->
                                    new WebhookSettings.Retries(
                                            p.attempts(),
                                            duration(v),
                                            p.longestPause(),
                                            p.longest(),
                                            p.timeout())),
                    retries(
                            "longest-pause",
                            "the longest pause between attempts to call a webhook",
                            (p, v) ->
                                    new WebhookSettings.Retries(
                                            p.attempts(),
                                            p.firstPause(),
                                            duration(v),
                                            p.longest(),
                                            p.timeout())),
                    retries(
                            "give-up-after",
                            "how long after its event a webhook is given up",
                            (p, v) ->
                                    new WebhookSettings.Retries(
                                            p.attempts(),
                                            p.firstPause(),
                                            p.longestPause(),
                                            duration(v),
                                            p.timeout())),
                    retries(
                            "timeout",
                            "how long a call of a webhook may take",
                            (p, v) ->
                                    new WebhookSettings.Retries(
                                            p.attempts(),
                                            p.firstPause(),
                                            p.longestPause(),
                                            p.longest(),
                                            duration(v))),
                    webhookLimits(
                            "max-at-once",
                            "how many webhooks are called at once",
                            (l, v) ->
                                    new WebhookSettings.Limits(
                                            whole(v, 1, 1000),
                                            l.perHost(),
                                            l.maxPending(),
                                            l.maxPendingAll(),
                                            l.maxBodyBytes())),
                    webhookLimits(
                            "max-per-host",
                            "how many calls one receiver of webhooks gets at once",
                            (l, v) ->
                                    new WebhookSettings.Limits(
                                            l.atOnce(),
                                            whole(v, 1, 1000),
                                            l.maxPending(),
                                            l.maxPendingAll(),
                                            l.maxBodyBytes())),
                    webhookLimits(
                            "max-pending",
                            "how many calls of one receiver wait in memory; more wait in the store",
                            (l, v) ->
                                    new WebhookSettings.Limits(
                                            l.atOnce(),
                                            l.perHost(),
                                            whole(v, 1, 1_000_000),
                                            l.maxPendingAll(),
                                            l.maxBodyBytes())),
                    webhookLimits(
                            "max-pending-all",
                            "how many calls wait in memory, of all receivers; more wait in the store",
                            (l, v) ->
                                    new WebhookSettings.Limits(
                                            l.atOnce(),
                                            l.perHost(),
                                            l.maxPending(),
                                            whole(v, 1, 1_000_000),
                                            l.maxBodyBytes())),
                    webhookLimits(
                            "max-body-bytes",
                            "a webhook's body is not larger; a larger result is left out",
                            (l, v) ->
                                    new WebhookSettings.Limits(
                                            l.atOnce(),
                                            l.perHost(),
                                            l.maxPending(),
                                            l.maxPendingAll(),
                                            bytes(v))),
                    gateway(
                            "max-body-bytes",
                            "larger messages of workers are refused",
                            (g, v) -> g.withMaxBodyBytes(bytes(v))),
                    gateway(
                            "max-batch-bytes",
                            "larger batches of results are refused",
                            (g, v) -> g.withMaxBatchBytes(bytes(v))),
                    gateway(
                            "max-batch",
                            "how many results a batch may have",
                            (g, v) -> g.withMaxBatch(whole(v, 1, 100_000))),
                    gateway(
                            "max-sockets",
                            "how many WebSockets of workers are open at once",
                            (g, v) -> g.withMaxSockets(whole(v, 0, MOST))),
                    gateway(
                            "task-secret-key",
                            "signs the tasks of workers that check this (ORCHESTRATOR_SECRET_KEY); none",
                            (g, v) -> g.withTaskSecretKey(new Secret(v).value())),
                    payloads(
                            "max-bytes",
                            "larger values are refused",
                            (p, v) -> p.withMaxBytes(bytes(v))),
                    payloads(
                            "grace",
                            "how long a large value is kept that no job names any more",
                            (p, v) -> p.withGrace(duration(v))),
                    bucket(
                            "bucket",
                            "the bucket for large values, in place of a folder in the data folder",
                            S3Settings::withBucket),
                    bucket(
                            "prefix",
                            "what its keys begin with, such as artel/",
                            S3Settings::withPrefix),
                    bucket("region", "where it is; us-east-1", S3Settings::withRegion),
                    bucket(
                            "endpoint",
                            "of a store other than Amazon's, such as http://10.0.0.7:9000",
                            (s, v) -> s.withEndpoint(uri(v))),
                    bucket(
                            "path-style",
                            "whether the bucket stands in the path, not in the host name",
                            (s, v) -> s.withPathStyle(yesOrNo(v))),
                    bucket(
                            "access-key",
                            "the account; both keys, or found as Amazon's programs find theirs",
                            SettingKeys::withAccess),
                    bucket("secret-key", "its secret", SettingKeys::withSecret),
                    backup(
                            "to",
                            "where a copy of all is kept while it runs: a folder or s3://BUCKET/PREFIX",
                            (b, v) -> b.withTo(BackupSettings.Target.of(v.strip()))),
                    backup(
                            "every",
                            "how often what was committed is sent there; from 1s to 1h",
                            (b, v) ->
                                    b.withEvery(
                                            duration(
                                                    v,
                                                    Duration.ofSeconds(1),
                                                    Duration.ofHours(1)))),
                    copies("region", "where its bucket is; us-east-1", S3Settings::withRegion),
                    copies(
                            "endpoint",
                            "of a store other than Amazon's, such as http://10.0.0.7:9000",
                            (s, v) -> s.withEndpoint(uri(v))),
                    copies(
                            "path-style",
                            "whether the bucket stands in the path, not in the host name",
                            (s, v) -> s.withPathStyle(yesOrNo(v))),
                    copies(
                            "access-key",
                            "the account; both keys, or neither",
                            SettingKeys::withAccess),
                    copies("secret-key", "its secret", SettingKeys::withSecret),
                    zeromq(
                            "enabled",
                            "whether workers are served over ZeroMQ; false",
                            (z, v) -> z.withEnabled(yesOrNo(v))),
                    zeromq(
                            "host",
                            "the address to listen on; 127.0.0.1",
                            (z, v) -> z.withHost(notBlank(v))),
                    zeromq(
                            "registration-port",
                            "the port of registrations and heartbeats; 0: any free one",
                            (z, v) -> {
                                var p = z.ports();
                                return z.withPorts(new Ports(port(v), p.tasks(), p.results()));
                            }),
                    zeromq(
                            "tasks-port",
                            "the port of tasks; 0: any free one",
                            (z, v) -> {
                                var p = z.ports();
                                return z.withPorts(
                                        new Ports(p.registration(), port(v), p.results()));
                            }),
                    zeromq(
                            "results-port",
                            "the port of results and calls; 0: any free one",
                            (z, v) -> {
                                var p = z.ports();
                                return z.withPorts(new Ports(p.registration(), p.tasks(), port(v)));
                            }),
                    zeromq(
                            "heartbeat-interval",
                            "how often workers send heartbeats; 500ms",
                            (z, v) ->
                                    z.withTerms(
                                            duration(v), z.heartbeatTimeout(), z.acceptWithin())),
                    zeromq(
                            "heartbeat-timeout",
                            "after how much silence a worker is gone; 3s",
                            (z, v) ->
                                    z.withTerms(
                                            z.heartbeatInterval(), duration(v), z.acceptWithin())),
                    zeromq(
                            "accept-within",
                            "how long a worker may take to accept a task; 2s",
                            (z, v) ->
                                    z.withTerms(
                                            z.heartbeatInterval(),
                                            z.heartbeatTimeout(),
                                            duration(v))),
                    zeromq(
                            "max-message-bytes",
                            "how large a message may be with its attachments; 8MiB",
                            (z, v) -> z.withMaxMessageBytes(bytes(v))),
                    zeromq(
                            "max-connections",
                            "how many connections are open to the three sockets together, three eighths of the files of the process at most; 60000",
                            (z, v) -> z.withMaxConnections(whole(v, 6, MOST))),
                    zeromq(
                            "plain-identities",
                            "whether the identity of a socket may be the name of its worker, so that all who reach the ports can take its place; on loopback true for workers without a token of their own, else false",
                            (z, v) -> z.withPlainNames(yesOrNo(v))),
                    zeromq(
                            "curve-public-key",
                            "the public key of encryption, 40 characters of Z85; none",
                            (z, v) ->
                                    z.withCurve(
                                            new ZeroMqSettings.Curve(
                                                    Optional.of(v.strip()),
                                                    z.curve().secretKey(),
                                                    z.curve().clients()))),
                    zeromq(
                            "curve-secret-key",
                            "its secret key",
                            (z, v) ->
                                    z.withCurve(
                                            new ZeroMqSettings.Curve(
                                                    z.curve().publicKey(),
                                                    Optional.of(new Secret(v.strip())),
                                                    z.curve().clients()))),
                    zeromq(
                            "curve-clients",
                            "the file with the public keys of the workers that may connect, and their names; any",
                            (z, v) ->
                                    z.withCurve(
                                            new ZeroMqSettings.Curve(
                                                    z.curve().publicKey(),
                                                    z.curve().secretKey(),
                                                    Optional.of(path(v))))),
                    mindbus(
                            "uri",
                            "the RabbitMQ whose agents are served, amqp://USER:PASSWORD@HOST:PORT/VHOST; none",
                            (m, v) -> m.withUri(amqpUri(v))),
                    mindbus(
                            "exchange",
                            "the topic exchange of the agents; mindbus.main",
                            (m, v) -> m.withExchange(notBlank(v))),
                    mindbus(
                            "node-id",
                            "names the queues of this orchestrator; orchestrator-main",
                            (m, v) -> m.withNodeId(notBlank(v))),
                    mindbus(
                            "nodes",
                            "capabilities of agents that never registered: a=echo,generate; b=write",
                            MindBusSettings::withNodes),
                    mindbus(
                            "lease",
                            "after how much silence an agent is gone whose passport has no lease; 30s",
                            (m, v) -> m.withLease(duration(v))),
                    mindbus(
                            "max-message-bytes",
                            "how large a message may be; 8MiB",
                            (m, v) -> m.withMaxMessageBytes(bytes(v))),
                    mindbus(
                            "agents",
                            "the names that agents may have: agent.one, agent.render.*; all that no other worker has",
                            (m, v) ->
                                    m.withDoor(
                                            new BusDoor(
                                                    NamePatterns.of(v), m.door().verifiesUser()))),
                    mindbus(
                            "verify-user",
                            "whether the broker's user of a message must have the name of its agent; false",
                            (m, v) -> m.withDoor(new BusDoor(m.door().agents(), yesOrNo(v)))),
                    agents(
                            "commands-per-second",
                            "how many commands an agent gets in a second, 0 for no limit; 100",
                            (a, v) -> a.withCommandsPerSecond(whole(v, 0, 1_000_000))),
                    agents(
                            "breaker-failures",
                            "after how many failed attempts in a row an agent is suspended, 0 for never; 3",
                            (a, v) -> a.withBreakerFailures(whole(v, 0, 1_000_000))),
                    agents(
                            "breaker-pause",
                            "for how long, doubled each time; 1m",
                            (a, v) -> a.withBreakerPause(duration(v))),
                    agents(
                            "breaker-longest",
                            "for how long at most; 1h",
                            (a, v) -> a.withBreakerLongest(duration(v))),
                    new Key(
                            "engine.keep-closed",
                            "how long closed jobs are kept",
                            keepClosed((k, v) -> k.withTime(duration(v)))),
                    new Key(
                            "engine.keep-closed-of",
                            "the same for some blueprints: order=7d, invoice=3650d",
                            keepClosed((k, v) -> k.withOfBlueprints(timesByBlueprint(v)))),
                    handlers(
                            "max-handlers",
                            "how many handlers run at once",
                            HandlerPlaces::withAll),
                    handlers(
                            "max-handlers-per-blueprint",
                            "how many of them of one blueprint; a quarter of all unless set",
                            HandlerPlaces::withShare),
                    handlers(
                            "max-abandoned-handlers",
                            "how many of one blueprint may go on after their time before it gets no further ones",
                            HandlerPlaces::withAbandoned),
                    new Key(
                            "engine.aging",
                            "how many tasks of higher priorities go before one that waits; 0: any",
                            of((c, v) ->
                                    c.withEngine(
                                            c.engine()
                                                    .withDispatch(
                                                            c.engine()
                                                                    .dispatch()
                                                                    .withAging(
                                                                            whole(v, 0, MOST)))))),
                    stalls(
                            "stuck-pause",
                            "the pause between two looks for jobs that are stuck",
                            (s, v) ->
                                    s.withPause(
                                            duration(
                                                    v,
                                                    Duration.ofMillis(100),
                                                    Duration.ofHours(1)))),
                    stalls(
                            "stuck-grace",
                            "how long no part of the engine and no worker may have what a job waits for before it counts as stuck",
                            (s, v) ->
                                    s.withGrace(
                                            duration(
                                                    v, Duration.ofSeconds(5), Duration.ofDays(1)))),
                    new Key(
                            "session.lease",
                            "how long a silent worker holds a task",
                            of((c, v) -> {
                                var s = c.session();
                                // A lease begins with the term that its worker received.
                                return c.withEngine(c.engine().withFreshTerm(duration(v)))
                                        .withSession(
                                                new SessionSettings(
                                                        duration(v),
                                                        s.hold(),
                                                        s.silence(),
                                                        s.grace(),
                                                        s.cancelTimeout(),
                                                        s.limits()));
                            })),
                    new Key(
                            "session.hold",
                            "how long a poll waits for a task; below 35s",
                            of((c, v) -> {
                                var s = c.session();
                                return c.withSession(
                                        new SessionSettings(
                                                s.lease(),
                                                duration(v),
                                                s.silence(),
                                                s.grace(),
                                                s.cancelTimeout(),
                                                s.limits()));
                            })),
                    new Key(
                            "session.silence",
                            "after how much silence a worker is gone",
                            of((c, v) -> {
                                var s = c.session();
                                return c.withSession(
                                        new SessionSettings(
                                                s.lease(),
                                                s.hold(),
                                                duration(v),
                                                s.grace(),
                                                s.cancelTimeout(),
                                                s.limits()));
                            })));

    private SettingKeys() {}

    private static Key handlers(
            String name, String meaning, BiFunction<HandlerPlaces, Integer, HandlerPlaces> change) {
        return new Key(
                "engine." + name,
                meaning,
                of((c, v) ->
                        c.withEngine(
                                c.engine()
                                        .withHandlers(
                                                change.apply(
                                                        c.engine().handlers(),
                                                        whole(v, 1, MOST))))));
    }

    private static Key stalls(
            String name, String meaning, BiFunction<StallSettings, String, StallSettings> change) {
        return new Key(
                "engine." + name,
                meaning,
                of((c, v) ->
                        c.withEngine(c.engine().withStalls(change.apply(c.engine().stalls(), v)))));
    }

    private static Key.Change keepClosed(BiFunction<KeepClosed, String, KeepClosed> change) {
        return of((c, v) ->
                c.withEngine(c.engine().withKeepClosed(change.apply(c.engine().keepClosed(), v))));
    }

    private static Key.Change of(BiFunction<ServerConfig, String, ServerConfig> change) {
        return (configBuilder, value) ->
                configBuilder.with(change.apply(configBuilder.config(), value));
    }

    private static Key http(
            String name, String meaning, BiFunction<HttpSettings, String, HttpSettings> change) {
        return new Key(
                "http." + name, meaning, of((c, v) -> c.withHttp(change.apply(c.http(), v))));
    }

    private static String mode(String value) {
        if (!List.of("off", "optional", "required").contains(value)) {
            throw new IllegalArgumentException("must be off, optional or required");
        }
        return value;
    }

    private static Key gateway(
            String name, String meaning, BiFunction<GatewayConfig, String, GatewayConfig> change) {
        return new Key(
                "gateway." + name,
                meaning,
                of((c, v) -> c.withGateway(change.apply(c.gateway(), v))));
    }

    private static Key payloads(
            String name,
            String meaning,
            BiFunction<PayloadSettings, String, PayloadSettings> change) {
        return new Key(
                "payloads." + name,
                meaning,
                of((c, v) -> c.withPayloads(change.apply(c.payloads(), v))));
    }

    private static Key bucket(
            String name, String meaning, BiFunction<S3Settings, String, S3Settings> change) {
        return payloads("s3." + name, meaning, (p, v) -> p.withS3(s -> change.apply(s, v.strip())));
    }

    private static S3Settings withAccess(S3Settings s3, String access) {
        return s3.withKeys(
                new S3Settings.Keys(access, s3.keys().map(S3Settings.Keys::secret).orElse("")));
    }

    private static S3Settings withSecret(S3Settings s3, String secret) {
        return s3.withKeys(
                new S3Settings.Keys(s3.keys().map(S3Settings.Keys::access).orElse(""), secret));
    }

    private static Key backup(
            String name,
            String meaning,
            BiFunction<BackupSettings, String, BackupSettings> change) {
        return new Key(
                "backup." + name, meaning, of((c, v) -> c.withBackup(change.apply(c.backup(), v))));
    }

    private static Key copies(
            String name, String meaning, BiFunction<S3Settings, String, S3Settings> change) {
        return backup("s3." + name, meaning, (b, v) -> b.withS3(change.apply(b.s3(), v.strip())));
    }

    private static Path file(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("must be a file that is there, was " + file);
        }
        return file;
    }

    /// One that is named on purpose and is not there is a mistake.
    private static Path existing(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "must be a folder that is there, was '" + folder + "'");
        }
        return folder;
    }

    private static Key ingress(
            String name,
            String meaning,
            BiFunction<IngressSettings, String, IngressSettings> change) {
        return new Key(name, meaning, of((c, v) -> c.withIngress(change.apply(c.ingress(), v))));
    }

    private static Duration sessionTime(String text) {
        return duration(text, Duration.ofMinutes(1), Duration.ofDays(3650));
    }

    private static int port(String text) {
        return whole(text, 0, 65_535);
    }

    private static Key zeromq(
            String name,
            String meaning,
            BiFunction<ZeroMqSettings, String, ZeroMqSettings> change) {
        return ingress(
                "zeromq." + name, meaning, (d, v) -> d.withZeroMq(change.apply(d.zeromq(), v)));
    }

    private static Key mindbus(
            String name,
            String meaning,
            BiFunction<MindBusSettings, String, MindBusSettings> change) {
        return ingress(
                "mindbus." + name, meaning, (d, v) -> d.withMindBus(change.apply(d.mindbus(), v)));
    }

    private static Key agents(
            String name,
            String meaning,
            BiFunction<MindBusSettings.AgentLimits, String, MindBusSettings.AgentLimits> change) {
        return mindbus(name, meaning, (m, v) -> m.withAgents(change.apply(m.agents(), v)));
    }

    private static Key traces(
            String name, String meaning, BiFunction<TraceSettings, String, TraceSettings> change) {
        return ingress(
                "traces." + name,
                meaning,
                (d, v) ->
                        d.withOperations(
                                d.operations()
                                        .withTraces(change.apply(d.operations().traces(), v))));
    }

    private static Key redis(
            String name, String meaning, BiFunction<RedisSettings, String, RedisSettings> change) {
        return ingress("redis." + name, meaning, (d, v) -> d.withRedis(change.apply(d.redis(), v)));
    }

    private static Key actions(
            String name,
            String meaning,
            BiFunction<ActionSettings, String, ActionSettings> change) {
        return new Key(
                "actions." + name,
                meaning,
                of((c, v) -> c.withActions(change.apply(c.actions(), v))));
    }

    private static Key access(
            String name,
            String meaning,
            BiFunction<AccessSettings, String, AccessSettings> change) {
        return ingress(
                "access." + name, meaning, (d, v) -> d.withAccess(change.apply(d.access(), v)));
    }

    private static Key webhook(
            String name,
            String meaning,
            BiFunction<WebhookSettings, String, WebhookSettings> change) {
        return ingress(
                "webhooks." + name,
                meaning,
                (d, v) -> d.withWebhooks(change.apply(d.webhooks(), v)));
    }

    private static Key retries(
            String name,
            String meaning,
            BiFunction<WebhookSettings.Retries, String, WebhookSettings.Retries> change) {
        return webhook(name, meaning, (w, v) -> w.withRetries(change.apply(w.retries(), v)));
    }

    private static Key webhookLimits(
            String name,
            String meaning,
            BiFunction<WebhookSettings.Limits, String, WebhookSettings.Limits> change) {
        return webhook(name, meaning, (w, v) -> w.withLimits(change.apply(w.limits(), v)));
    }

    private static Key rate(
            String name,
            String meaning,
            BiFunction<AccessSettings.Rates, Integer, AccessSettings.Rates> change) {
        return access(
                "rates." + name,
                meaning,
                (a, v) -> a.withRates(change.apply(a.rates(), whole(v, 0, MOST))));
    }
}
