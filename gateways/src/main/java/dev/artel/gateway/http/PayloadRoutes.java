package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.gateway.access.AddressBlock;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.ValueAddresses;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.JsonThreads;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.ValueRef;
import dev.artel.session.SessionReply;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where workers fetch and put values that are too large for messages: `GET` and `PUT` of `/_worker/values`. Nothing is
/// held in memory as a whole.
final class PayloadRoutes implements ValueAddresses {
    private static final Logger LOG = LoggerFactory.getLogger(PayloadRoutes.class);
    private static final String ROUTE = "/_worker/values";
    private static final int PIECE = 1 << 14;
    private static final String WORKER = "worker";
    private static final String LEASE = "lease";
    private static final int MOST_TRIES = 4;
    private static final int LEASES = 100_000;

    /// As many bytes may have come in as this many of the largest values have.
    private static final int LARGEST_AT_ONCE = 16;

    private final WorkerValues values;
    private final Requests requests;
    private final SignedUrls paths;

    private final SessionShell shell;

    /// For the values that come in; each takes a file.
    private final PutRoom coming;

    /// How much was put under leases that were put under lately.
    private final SequencedMap<String, Long> sent = new LinkedHashMap<>();

    /// Who puts a value, and for which attempt.
    private record Holder(WorkerId worker, String lease) {}

    PayloadRoutes(WorkerValues values, Requests requests, SignedUrls paths, SessionShell shell) {
        this.values = values;
        this.requests = requests;
        this.paths = paths;
        this.shell = shell;
        coming = new PutRoom(values.maxPuts(), LARGEST_AT_ONCE * values.maxBytes());
    }

    void addTo(JavalinDefaultRoutingApi routes) {
        routes.get(ROUTE + "/{sha256}", this::fetch);
        routes.put(ROUTE, this::put);
    }

    @Override
    public ValueRef reference(Payload.Ref value) {
        return new ValueRef(
                value.digest(),
                value.bytes(),
                paths.signed("GET", ROUTE + "/" + value.digest(), ""));
    }

    @Override
    public String address(Lease lease) {
        return paths.signed(
                "PUT",
                ROUTE,
                "&"
                        + WORKER
                        + "="
                        + URLEncoder.encode(lease.worker().value(), UTF_8)
                        + "&"
                        + LEASE
                        + "="
                        + URLEncoder.encode(lease.token().value(), UTF_8));
    }

    @Override
    public long maxBytes() {
        return values.maxBytes();
    }

    @Override
    public TaskResult checked(TaskResult result) {
        return result.outcome() instanceof TaskOutcome.Stored(var _, var data)
                        && !isPut(result.lease(), data)
                ? result.with(
                        new TaskOutcome.Failed(
                                TaskOutcome.TRANSIENT_ERROR,
                                "the result names the large value "
                                        + data.sha256()
                                        + " of "
                                        + data.bytes()
                                        + " bytes, which was not put under the lease of its task; put"
                                        + " it, then report"))
                : result;
    }

    /// What another worker has put, or another client has sent, is nothing that this result may bring into its job.
    private boolean isPut(String lease, ValueRef data) {
        if (!values.puts().has(lease, data.sha256(), data.bytes())) {
            return false;
        }
        return values.objects()
                .find(data.sha256())
                .filter(kept -> kept.bytes() == data.bytes())
                .isPresent();
    }

    private void fetch(Context ctx) throws IOException {
        let(ctx);
        var digest = ctx.pathParam("sha256");
        if (!VerifiedBytes.isDigest(digest)) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid digest",
                    "a value is named by its SHA-256");
        }
        var kept = values.objects().find(digest);
        var content = values.objects().open(digest);
        if (kept.isEmpty() || content.isEmpty()) {
            throw new HttpRefusal(
                    ErrorCode.VALUE_NOT_FOUND, "Value not found", "there is no value " + digest);
        }
        try (var bytes = content.get()) {
            var response = ctx.res();
            response.setStatus(200);
            response.setContentType("application/json; charset=utf-8");
            response.setHeader("ETag", '"' + digest + '"');
            response.setContentLengthLong(kept.get().bytes());
            var piece = new byte[PIECE];
            for (var read = bytes.read(piece, 0, PIECE);
                    read >= 0;
                    read = bytes.read(piece, 0, PIECE)) {
                response.getOutputStream().write(piece, 0, read);
            }
            response.flushBuffer();
        }
    }

    private void put(Context ctx) throws IOException, InterruptedException {
        var holder = holder(ctx);
        var announced = ctx.req().getContentLengthLong();
        if (announced > values.maxBytes()) {
            throw tooLarge(ctx);
        }
        checkHeld(ctx, holder);
        if (announced > 0) {
            count(ctx, holder, announced);
        }
        try (var place =
                coming.take(holder.lease(), AddressBlock.of(String.valueOf(ctx.ip())))
                        .orElseThrow(() -> tooMany(ctx))) {
            var file = file();
            try {
                keep(ctx, holder, place, file);
            } finally {
                Files.deleteIfExists(file);
            }
        }
    }

    private static HttpRefusal tooMany(Context ctx) {
        ctx.header("Connection", "close");
        return HttpRefusal.later(
                Duration.ofSeconds(1),
                "too many values come in, of this lease, of this address or of all workers; put it again");
    }

    private static Path file() {
        try {
            return Files.createTempFile("artel-value", ".json");
        } catch (IOException noRoom) {
            throw unwritten(noRoom);
        }
    }

    private static StoreUnavailable unwritten(IOException failure) {
        return new StoreUnavailable(
                "taking a large value of a worker: the folder for temporary files ("
                        + System.getProperty("java.io.tmpdir")
                        + ") does not take it, found "
                        + failure
                        + "; make room there, or name another one with -Djava.io.tmpdir",
                failure);
    }

    private void keep(Context ctx, Holder holder, PutRoom.Place place, Path file)
            throws IOException, InterruptedException {
        var digest = spool(ctx, holder, place, file);
        var wanted = ctx.header("X-Content-SHA256");
        if (wanted != null && !wanted.equals(digest)) {
            throw new HttpRefusal(
                    ErrorCode.VALUE_DAMAGED,
                    "Value damaged",
                    "X-Content-SHA256 is " + wanted + ", what arrived has " + digest);
        }
        var bytes = Files.size(file);
        try {
            var text = Files.newInputStream(file);
            JsonThreads.run(bytes, () -> JsonText.check(text));
        } catch (MalformedJson malformed) {
            throw HttpRefusal.invalidJson(String.valueOf(malformed.getMessage()));
        }
        checkHeld(ctx, holder);
        values.objects().put(digest, bytes, () -> open(file));
        values.puts().add(holder.lease(), digest, bytes);
        LOG.atDebug().addKeyValue("value", digest).addKeyValue("bytes", bytes).log("value put");
        ReplyWriter.json(
                ctx, 201, JsonObject.builder().put("sha256", digest).put("bytes", bytes).build());
    }

    private static ObjectStore.Bytes open(Path file) {
        try {
            return new StreamedBytes(Files.newInputStream(file));
        } catch (IOException e) {
            throw new UncheckedIOException("reading a value that has just arrived", e);
        }
    }

    /// Writes what arrives to `file` and gives its digest.
    private String spool(Context ctx, Holder holder, PutRoom.Place place, Path file)
            throws IOException {
        var isAnnounced = ctx.req().getContentLengthLong() > 0;
        var in = ctx.req().getInputStream();
        try (var out = new DigestOutputStream(Files.newOutputStream(file), sha256())) {
            var piece = new byte[PIECE];
            var count = 0L;
            for (var read = read(in, piece); read >= 0; read = read(in, piece)) {
                count += read;
                if (count > values.maxBytes()) {
                    throw tooLarge(ctx);
                }
                if (!isAnnounced) {
                    count(ctx, holder, read);
                }
                if (!place.grows(read)) {
                    throw tooMany(ctx);
                }
                out.write(piece, 0, read);
            }
            return HexFormat.of().formatHex(out.getMessageDigest().digest());
        } catch (IOException noRoom) {
            throw unwritten(noRoom);
        }
    }

    private static int read(InputStream in, byte[] piece) {
        try {
            return in.read(piece);
        } catch (IOException broken) {
            throw new UncheckedIOException("a value that a worker puts broke off", broken);
        }
    }

    private HttpRefusal tooLarge(Context ctx) {
        ctx.header("Connection", "close");
        return new HttpRefusal(
                ErrorCode.VALUE_TOO_LARGE,
                "Value too large",
                "a value may have " + values.maxBytes() + " bytes (payloads.max-bytes)");
    }

    /// Whom an address was given to. It is good for itself; with a token it is good for the worker with that token, also
    /// when it was given out before the last start.
    private Holder holder(Context ctx) {
        var isSigned = ctx.queryParam(SignedUrls.SIGNATURE) != null;
        var token = isSigned && !Requests.hasToken(ctx) ? null : Requests.token(ctx);
        if (token == null) {
            paths.check(ctx);
        }
        var named = ctx.queryParam(WORKER);
        var lease = ctx.queryParam(LEASE);
        var worker = named == null ? null : Requests.worker(named);
        var sender = token == null ? worker : requests.sender(ctx, token, worker);
        if (worker == null || lease == null) {
            throw new HttpRefusal(
                    ErrorCode.FORBIDDEN,
                    "Forbidden",
                    "a value is put to the address that came with its task (large_values.put)");
        }
        if (sender != null && !sender.equals(worker)) {
            throw Requests.foreign(sender, "put values for", worker.value());
        }
        ctx.attribute(Requests.WORKER, worker.value());
        return new Holder(worker, lease);
    }

    /// A worker that puts a value lives, and holds its lease still.
    private void checkHeld(Context ctx, Holder holder) throws InterruptedException {
        var sign = new TaskLog(holder.worker().value(), holder.lease(), null, List.of());
        switch (shell.receive(holder.worker(), sign)) {
            case SessionReply.Message(OrchestratorMessage.LogAnswer(boolean isHeld, int _)) -> {
                if (!isHeld) {
                    ctx.header("Connection", "close");
                    throw new HttpRefusal(
                            ErrorCode.LEASE_OVER,
                            "Lease is over",
                            "this address was good as long as worker "
                                    + holder.worker()
                                    + " held the lease of the task that it came with");
                }
            }
            case SessionReply.TryLater(var after, var detail) -> {
                ctx.header("Connection", "close");
                throw HttpRefusal.later(after, detail);
            }
            case SessionReply other ->
                    throw new IllegalStateException("a sign of life was answered with " + other);
        }
    }

    /// A lease lets through some tries at the largest value, and a worker as much as its rate allows.
    private void count(Context ctx, Holder holder, long bytes) {
        var most = MOST_TRIES * values.maxBytes();
        boolean isTooMuch;
        synchronized (sent) {
            var all = sent.getOrDefault(holder.lease(), 0L) + bytes;
            isTooMuch = all > most;
            if (!isTooMuch) {
                sent.putLast(holder.lease(), all);
                if (sent.size() > LEASES) {
                    sent.pollFirstEntry();
                }
            }
        }
        if (isTooMuch) {
            ctx.header("Connection", "close");
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_VALUES,
                    "Too many values",
                    "under one lease "
                            + most
                            + " bytes may be put, "
                            + MOST_TRIES
                            + " times payloads.max-bytes");
        }
        requests.limitOfBytes(holder.worker(), bytes)
                .ifPresent(after -> {
                    ctx.header("Connection", "close");
                    throw HttpRefusal.later(
                            ErrorCode.RATE_LIMITED,
                            after,
                            "Too Many Requests",
                            "worker "
                                    + holder.worker()
                                    + " sends more bytes a minute than access.rates.bytes allows");
                });
    }

    /// An address that was given out is good for itself for a while, and with a token for as long as that is. A token alone shows not
    /// that the worker has a task with this value.
    private void let(Context ctx) {
        if (ctx.queryParam(SignedUrls.SIGNATURE) != null && !Requests.hasToken(ctx)) {
            paths.check(ctx);
            return;
        }
        WorkerId sender = requests.sender(ctx, Requests.token(ctx), null);
        if (sender != null) {
            ctx.attribute(Requests.WORKER, sender.value());
        }
        if (ctx.queryParam(SignedUrls.SIGNATURE) == null) {
            throw new HttpRefusal(
                    ErrorCode.FORBIDDEN,
                    "Forbidden",
                    "a value is fetched from the address that came with its task"
                            + " (large_values.params.url)");
        }
        paths.checkGivenOut(ctx);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
