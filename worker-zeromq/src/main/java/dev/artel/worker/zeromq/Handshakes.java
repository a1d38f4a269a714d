package dev.artel.worker.zeromq;

import java.util.function.Consumer;
import org.zeromq.ZEvent;

/// Reads off the events of a socket why the other side does not let it in. ZeroMQ itself would try again in silence. On the thread of the library, one event after another.
final class Handshakes {
    private final DealerAddress address;
    private final Consumer<String> failed;
    private boolean isConnected;

    /// @param failed takes why a connection that was there came to nothing
    Handshakes(DealerAddress address, Consumer<String> failed) {
        this.address = address;
        this.failed = failed;
    }

    void on(ZEvent event) {
        switch (event.getEvent()) {
            case CONNECTED -> isConnected = true;
            case HANDSHAKE_FAILED_AUTH -> {
                isConnected = false;
                failed.accept(keyRefused());
            }
            case DISCONNECTED, HANDSHAKE_FAILED_PROTOCOL, HANDSHAKE_FAILED_NO_DETAIL -> {
                if (isConnected) {
                    isConnected = false;
                    failed.accept(ended());
                }
            }
            default -> {
                // nothing about handshakes
            }
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
                ? "the orchestrator ended the connection before it answered; server-key may not be its public key, or it does not encrypt"
                : "the orchestrator ended the connection before it answered; if it encrypts, the address needs server-key, its public key";
    }
}
