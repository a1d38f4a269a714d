package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A peer in memory, on the thread of the test.
public final class FakeConnection implements WorkerConnection {
    final List<String> texts = new ArrayList<>();
    final List<String> pings = new ArrayList<>();
    final List<Runnable> held = new ArrayList<>();
    private final List<Consumer<Throwable>> failures = new ArrayList<>();
    private final String address;

    /// Answers pings.
    boolean pongs = true;

    /// Answers closing handshakes.
    boolean closes = true;

    /// Takes messages; else they stay in [#held].
    boolean takes = true;

    /// Throws instead of sending.
    public boolean throwsOnSend;

    /// Throws instead of closing.
    boolean throwsOnClose;

    /// Reports each message as failed.
    boolean breaks;

    boolean open = true;
    boolean terminated;
    int closeCode;
    String closeReason = "";

    /// Runs before each message is sent.
    public @Nullable Runnable onSend;

    private @Nullable ConnectionInput input;

    /// A peer at `address`.
    public FakeConnection(String address) {
        this.address = address;
    }

    /// Opens it.
    public FakeConnection openOn(WorkerHub hub) {
        input = hub.opened(this);
        return this;
    }

    ConnectionInput input() {
        return Objects.requireNonNull(input);
    }

    /// Sends a message to the hub.
    public FakeConnection sends(String text) {
        input().onText(text);
        return this;
    }

    /// Sends a message to the hub.
    public FakeConnection sends(JsonObject message) {
        return sends(new String(JsonText.write(message), StandardCharsets.UTF_8));
    }

    /// The peer is gone.
    public void closedByPeer() {
        open = false;
        input().onClosed(1006, "");
    }

    List<JsonObject> received() {
        return texts.stream().map(text -> (JsonObject) JsonText.read(text)).toList();
    }

    List<JsonObject> received(String type) {
        return received().stream()
                .filter(message -> message.string("type").orElse("").equals(type))
                .toList();
    }

    void takeHeld() {
        takes = true;
        var taken = List.copyOf(held);
        held.clear();
        taken.forEach(Runnable::run);
    }

    /// The connection breaks while what is held is written.
    void breakHeld() {
        held.clear();
        var broken = List.copyOf(failures);
        failures.clear();
        broken.forEach(failure -> failure.accept(new IllegalStateException("broken pipe")));
    }

    @Override
    public void sendText(String text, Runnable onSent, Consumer<Throwable> onFailure) {
        if (onSend != null) {
            onSend.run();
        }
        if (throwsOnSend) {
            throw new IllegalStateException("socket is gone");
        }
        if (breaks) {
            onFailure.accept(new IllegalStateException("broken pipe"));
        } else if (takes) {
            texts.add(text);
            onSent.run();
        } else {
            held.add(() -> {
                texts.add(text);
                onSent.run();
            });
            failures.add(onFailure);
        }
    }

    @Override
    public void sendPing(String payload, Runnable onSent, Consumer<Throwable> onFailure) {
        pings.add(payload);
        onSent.run();
        if (pongs) {
            input().onPong(ByteBuffer.wrap(payload.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    @Override
    public void close(int code, String reason) {
        if (throwsOnClose) {
            throw new IllegalStateException("socket is dead");
        }
        if (!open) {
            return;
        }
        open = false;
        closeCode = code;
        closeReason = reason;
        if (closes && input != null) {
            input.onClosed(code, reason);
        }
    }

    @Override
    public void terminate() {
        open = false;
        terminated = true;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public String remoteAddress() {
        return address;
    }
}
