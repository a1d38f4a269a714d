package dev.artel.worker.server.hub;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One connection: its queues, and what the hub knows of it. The fields that are not final are guarded by the hub's lock.
final class HubConnection implements ConnectionInput {
    final WorkerConnection transport;
    final Outbound outbound;
    final EventQueue events;
    final MessageRate rate;
    private final InboundMessages inbound;
    private final StrangerRoom.Share share;
    private final int largestMessage;

    /// The worker that is registered on it.
    @Nullable PoolEntry worker;

    /// The worker that was.
    @Nullable String formerWorker;

    /// Whether a worker has ever registered on it.
    private volatile boolean isKnown;

    /// When it is closed if no worker has registered.
    Instant registerBy;

    /// When the transport is ended; null while the hub does not close it.
    @Nullable Instant terminateBy;

    /// Nothing that it sends is looked at any more.
    boolean expelled;

    boolean closed;
    int violations;
    int unregisteredMessages;
    int warnings;

    HubConnection(WorkerHub hub, WorkerConnection transport, HubOptions options, Instant now) {
        this.transport = transport;
        this.outbound =
                new Outbound(
                        transport,
                        options.limits(),
                        hub.sends(),
                        cause -> hub.sendFailed(this, cause));
        this.events = new EventQueue(hub.executor());
        this.rate = new MessageRate(options.limits().maxMessagesPerSecond(), now);
        this.registerBy = now.plus(options.times().registrationTimeout());
        this.inbound = new InboundMessages(hub, this);
        this.share = hub.strangers().begin();
        this.largestMessage = options.limits().maxMessageBytes();
    }

    /// A worker has registered, so that it is known whose messages come.
    void becomesKnown() {
        isKnown = true;
        share.end();
    }

    @Override
    public boolean mayGoOn(long bytes) {
        return isKnown ? bytes <= largestMessage : share.takes(bytes);
    }

    /// How many bytes a message may have now.
    int largestMessage() {
        return isKnown ? largestMessage : Math.min(largestMessage, StrangerRoom.LARGEST_MESSAGE);
    }

    String remote() {
        return transport.remoteAddress();
    }

    boolean canSend() {
        return outbound.isOpen() && transport.isOpen();
    }

    @Override
    public void onText(String text) {
        inbound.text(text);
    }

    @Override
    public void onBinary(ByteBuffer bytes) {
        inbound.binary(bytes);
    }

    @Override
    public void onPong(ByteBuffer payload) {
        inbound.pong(StandardCharsets.US_ASCII.decode(payload.duplicate()).toString());
    }

    @Override
    public void onTooLarge(ByteBuffer beginning) {
        inbound.tooLarge(beginning);
    }

    @Override
    public void onError(Throwable cause) {
        inbound.error(cause);
    }

    @Override
    public void onClosed(int code, String reason) {
        share.end();
        inbound.closed(code, reason);
    }
}
