package dev.artel.worker.server.hub;

import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.ValueRoom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// The room in memory of one message, from before it is read until all that follows from it is done: as long as it is delivered, and as
/// long as a handler holds it that goes on with it elsewhere. Safe for use by many threads.
final class MessageRoom {
    private final ValueRoom.Place place;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger largeMessages;
    private final long weight;

    private MessageRoom(ValueRoom.Place place, long weight, AtomicInteger largeMessages) {
        this.place = place;
        this.weight = weight;
        this.largeMessages = largeMessages;
        if (place != ValueRoom.NONE) {
            largeMessages.incrementAndGet();
        }
    }

    /// Waits until `owner` has room in `values` for the message of `text`, if that is large or is going to wait; who gets it closes it by
    /// [#release].
    ///
    /// @param waits whether handlers are behind: also small messages are many then
    /// @param largeMessages counts those that have room
    static MessageRoom take(
            ValueRoom values,
            String owner,
            byte[] text,
            boolean waits,
            AtomicInteger largeMessages) {
        var ifLarge = ForeignJson.weightIfLarge(text);
        var weight = ifLarge > 0 ? ifLarge : ForeignJson.weight(text);
        return new MessageRoom(values.take(owner, waits ? weight : ifLarge), weight, largeMessages);
    }

    /// About how many bytes the message takes in memory.
    long weight() {
        return weight;
    }

    /// See [MessageEvent#hold].
    MessageEvent.Hold hold() {
        holders.incrementAndGet();
        var isHeld = new AtomicBoolean(true);
        return () -> {
            if (isHeld.getAndSet(false)) {
                release();
            }
        };
    }

    /// One of its holders is done with the message.
    void release() {
        if (holders.decrementAndGet() == 0 && place != ValueRoom.NONE) {
            place.close();
            largeMessages.decrementAndGet();
        }
    }
}
