package dev.artel.client;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The events of a job as they happen, which end after the last one, or those of all jobs. For one thread, except for [#close], which ends it from
/// any thread.
public final class JobEvents implements Iterable<JobEvent>, AutoCloseable {
    private final HttpTransport httpTransport;
    private final String path;
    private final String attempted;

    /// Whether the numbers of the events count those of one job; those of several cannot be compared.
    private final boolean isOneJob;

    private volatile @Nullable SseParser text;
    private volatile boolean closed;
    private @Nullable JobEvent next;
    private @Nullable String last;
    private long version;
    private int failures;
    private long deadline;
    private boolean over;

    JobEvents(HttpTransport httpTransport, String path, String attempted, boolean isOneJob) {
        this.httpTransport = httpTransport;
        this.path = path;
        this.attempted = attempted;
        this.isOneJob = isOneJob;
    }

    /// Connects now, so that what happens from now on is not missed.
    JobEvents opened() {
        try {
            connect();
            return this;
        } catch (IOException broken) {
            throw new ClientException.Unreachable(
                    attempted + ": the connection broke (" + broken + ")", broken);
        }
    }

    /// The events that come; each is given once, whichever iterator asks. An iterator waits for the next event, and
    /// throws a [ClientException] if the orchestrator cannot be reached for longer than the client's retry policy allows.
    @Override
    public Iterator<JobEvent> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return isThereMore();
            }

            @Override
            public JobEvent next() {
                return take();
            }
        };
    }

    private boolean isThereMore() {
        while (next == null && !over && !closed) {
            try {
                read();
            } catch (IOException broken) {
                drop();
                again(
                        new ClientException.Unreachable(
                                attempted + ": the connection broke (" + broken + ")", broken),
                        Duration.ZERO);
            } catch (ClientException.Unreachable unreachable) {
                again(unreachable, Duration.ZERO);
            }
        }
        return next != null;
    }

    private JobEvent take() {
        if (!isThereMore()) {
            throw new NoSuchElementException(attempted + ": there are no more events");
        }
        var event = next;
        next = null;
        if (event == null) {
            throw new NoSuchElementException(attempted + ": it was closed");
        }
        return event;
    }

    private void read() throws IOException {
        var open = text;
        if (open == null) {
            connect();
            return;
        }
        var message = open.next();
        if (message.isEmpty()) {
            // The orchestrator ends the stream after the last event, and answers 204 to who asks
            // for more.
            drop();
            return;
        }
        failures = 0;
        var id = message.get().id();
        if (id != null) {
            last = id;
        }
        event(message.get().data())
                .filter(event -> !isOneJob || event.version() > version)
                .ifPresent(event -> {
                    version = event.version();
                    next = event;
                });
    }

    private Optional<JobEvent> event(String data) {
        try {
            return JsonText.read(data) instanceof JsonObject document && document.has("version")
                    ? Optional.of(JobEvent.of(document))
                    : Optional.empty();
        } catch (MalformedJson e) {
            throw new ClientException.Failed(attempted + ": an event is no JSON: " + e);
        }
    }

    private void connect() throws IOException {
        var response = httpTransport.open(path, last);
        switch (response.statusCode()) {
            case 200 ->
                    text =
                            new SseParser(
                                    response.body(),
                                    httpTransport.timeouts().silence(),
                                    HttpTransport.LARGEST_ANSWER);
            case 204 -> {
                over = true;
                response.body().close();
            }
            default -> {
                byte[] body;
                try (var all = response.body()) {
                    body = all.readNBytes(1 << 20);
                }
                var apiResponse =
                        new ApiResponse(
                                response.statusCode(), body, HttpTransport.retryAfter(response));
                var refused =
                        ClientException.of(
                                attempted,
                                apiResponse.status(),
                                apiResponse.refusal(),
                                apiResponse.retryAfter());
                if (!apiResponse.isPassing()) {
                    throw refused;
                }
                again(refused, apiResponse.retryAfter());
            }
        }
    }

    private void again(ClientException failure, Duration asked) {
        if (closed) {
            return;
        }
        failures++;
        if (failures == 1) {
            deadline = System.nanoTime() + httpTransport.retryPolicy().total().toNanos();
        }
        httpTransport.pause(httpTransport.retryPolicy().after(failures, asked), deadline, failure);
    }

    private void drop() {
        var open = text;
        text = null;
        if (open != null) {
            open.close();
        }
    }

    /// Ends it: a thread that waits for an event gets none.
    @Override
    public void close() {
        closed = true;
        drop();
    }
}
