package dev.artel.server.wiring;

import dev.artel.config.Network;
import dev.artel.config.ProxySettings;
import dev.artel.gateway.access.AddressBlock;
import dev.artel.json.text.FairShares;
import dev.artel.log.LinesAMinute;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.eclipse.jetty.io.SelectorManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections of each address: one has at most half of what others leave, so that a stranger cannot have all that there are by opening
/// one after another. Those of this machine and of known proxies, behind which there are many peers, are not counted. Safe for use by many
/// threads.
final class AddressConnections implements SelectorManager.AcceptListener {
    private static final Logger LOG = LoggerFactory.getLogger(AddressConnections.class);

    /// Any stranger can have one written.
    private static final int MOST_WARNINGS = 20;

    private final Predicate<InetAddress> isFree;
    private final FairShares shares;
    private final Map<SelectableChannel, String> open = new HashMap<>();
    private final LinesAMinute warnings = new LinesAMinute(MOST_WARNINGS);

    /// @param most how many connections there are
    /// @param isFree whether those of an address are not counted
    AddressConnections(int most, Predicate<InetAddress> isFree) {
        this.isFree = isFree;
        // Half of one would be none.
        shares = new FairShares(Math.max(2, most));
    }

    /// Addresses of which not one peer is known.
    static Predicate<InetAddress> free(ProxySettings proxy) {
        var trusted = proxy.trusted().stream().map(Network::of).toList();
        return address ->
                address.isLoopbackAddress()
                        || trusted.stream().anyMatch(network -> network.contains(address));
    }

    @Override
    public void onAccepting(SelectableChannel channel) {
        var address = address(channel);
        if (address == null || isFree.test(address)) {
            return;
        }
        var block = AddressBlock.of(address.getHostAddress());
        if (!isPlaced(channel, block)) {
            // The server finds that it is closed, and reports that it could not be accepted.
            close(channel);
            var before = warnings.next();
            before.ifPresent(leftOut ->
                    LOG.atWarn()
                            .addKeyValue("address", block)
                            .addKeyValue(LinesAMinute.LEFT_OUT, leftOut)
                            .log(
                                    "a connection over HTTP is refused, since its address has half of what others leave of http.max-connections; if it is a proxy, name it in proxy.trusted"));
        }
    }

    private synchronized boolean isPlaced(SelectableChannel channel, String block) {
        if (!shares.hasRoom(block, 1)) {
            return false;
        }
        shares.take(block, 1);
        open.put(channel, block);
        return true;
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        onClosed(channel);
    }

    @Override
    public synchronized void onClosed(SelectableChannel channel) {
        var block = open.remove(channel);
        if (block != null) {
            shares.free(block, 1);
        }
    }

    /// How many are counted.
    synchronized int count() {
        return open.size();
    }

    private static @Nullable InetAddress address(SelectableChannel channel) {
        try {
            return channel instanceof SocketChannel socket
                            && socket.getRemoteAddress() instanceof InetSocketAddress remote
                    ? remote.getAddress()
                    : null;
        } catch (IOException closed) {
            LOG.atDebug().setCause(closed).log("a connection ended while it was accepted");
            return null;
        }
    }

    private static void close(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException failed) {
            LOG.atDebug().setCause(failed).log("a connection that is refused could not be closed");
        }
    }
}
