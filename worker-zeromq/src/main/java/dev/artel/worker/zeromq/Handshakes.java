package dev.artel.worker.zeromq;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.zeromq.ZEvent;

/// Reads off the events of a socket why the other side does not let it in. ZeroMQ itself would try again in silence. Events come on the thread of the library, one after another; [#tick] is for one other thread.
final class Handshakes {
    /// An orchestrator that encrypts lets in few connections a second, and ends the others before it greets.
    private static final int MOST_UNGREETED = 20;

    /// The library has begun to connect again after that, in nanoseconds.
    private static final long MOMENT = TimeUnit.SECONDS.toNanos(1);

    private final DealerAddress address;
    private final Consumer<String> failed;
    private boolean isConnected;
    private boolean isGreeted;

    /// When a connection ended before the other side had greeted, by [System#nanoTime], unless the library is to connect again: it does not where the other side speaks otherwise.
    private volatile @Nullable Long endedAt;

    /// How many connections in a row have ended before the other side had greeted.
    private int ungreeted;

    /// @param failed takes why a connection that was there came to nothing
    Handshakes(DealerAddress address, Consumer<String> failed) {
        this.address = address;
        this.failed = failed;
    }

    void on(ZEvent event) {
        switch (event.getEvent()) {
            case CONNECTED -> {
                isConnected = true;
                isGreeted = false;
                endedAt = null;
            }
            case CONNECT_RETRIED -> endedAt = null;
            case HANDSHAKE_PROTOCOL -> {
                isGreeted = true;
                ungreeted = 0;
            }
            case CLOSED -> {
                if (address.curve().isPresent()) {
                    failed.accept("nobody listens at " + address);
                }
            }
            case HANDSHAKE_FAILED_AUTH -> {
                isConnected = false;
                failed.accept(keyRefused());
            }
            case DISCONNECTED, HANDSHAKE_FAILED_PROTOCOL, HANDSHAKE_FAILED_NO_DETAIL -> {
                if (isConnected) {
                    isConnected = false;
                    if (address.curve().isEmpty() || isGreeted || ++ungreeted >= MOST_UNGREETED) {
                        failed.accept(ended());
                    } else {
                        endedAt = System.nanoTime();
                    }
                }
            }
            default -> {
                // nothing about handshakes
            }
        }
    }

    /// Some time has passed.
    void tick() {
        var since = endedAt;
        if (since != null && System.nanoTime() - since > MOMENT) {
            endedAt = null;
            failed.accept(ended());
        }
    }

    private String keyRefused() {
        return address.curve()
                .flatMap(DealerAddress.Curve::own)
                .map(own ->
                        "the orchestrator does not let in the key "
                                + own.publicKey()
                                + "; add it to the file of its zeromq.curve-clients")
                .orElse(
                        "the orchestrator lets in the keys of its zeromq.curve-clients alone, and this worker makes a key of its own in each process; "
                                + "give its address a certificate, or public-key and secret-key, and add the public key there");
    }

    private String ended() {
        return address.curve().isPresent()
                ? "the orchestrator ended the connection before it answered; server-key may not be its public key, or it does not encrypt, or too many connect at once"
                : "the orchestrator ended the connection before it answered; if it encrypts, the address needs server-key, its public key";
    }
}
