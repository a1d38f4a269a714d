package dev.artel.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// A range of addresses.
///
/// @param prefix how many bits the addresses in it share
public record Network(InetAddress address, int prefix) {
    /// The network that `text` writes: an address, or one with the length of its prefix.
    ///
    /// @throws IllegalArgumentException if it is none
    public static Network of(String text) {
        var slash = text.indexOf('/');
        var host = slash < 0 ? text : text.substring(0, slash);
        if (host.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            try {
                var address = InetAddress.getByName(host);
                var bits = address.getAddress().length * 8;
                var prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
                if (prefix >= 0 && prefix <= bits) {
                    return new Network(address, prefix);
                }
            } catch (UnknownHostException | NumberFormatException _) {
                // reported below
            }
        }
        throw new IllegalArgumentException(
                "proxy.trusted must be addresses or networks such as 10.0.0.0/8, was '"
                        + text
                        + "'");
    }

    /// Whether `other` is in it.
    public boolean contains(InetAddress other) {
        var mine = address.getAddress();
        var its = other.getAddress();
        if (mine.length != its.length) {
            return false;
        }
        for (var bit = 0; bit < prefix; bit++) {
            var mask = 0x80 >> (bit % 8);
            if ((mine[bit / 8] & mask) != (its[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
