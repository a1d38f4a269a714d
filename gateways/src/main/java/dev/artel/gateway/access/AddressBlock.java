package dev.artel.gateway.access;

import java.net.Inet6Address;
import java.net.InetAddress;

/// Whose an address is, as far as that can be counted: IPv4 gives a machine one address, IPv6 a network of 64 bits, in which it may send from a new
/// address each time (RFC 4291, section 2.5.1).
public final class AddressBlock {
    private static final int BYTES_OF_NETWORK = 8;

    private AddressBlock() {}

    /// The block of `address`: itself for IPv4, also where that is written as IPv6, and its first 64 bits for IPv6, such as
    /// `2001:db8:0:1::/64`. What is no address is its own block.
    public static String of(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        var bare = address.startsWith("[") ? address.replaceAll("[\\[\\]]", "") : address;
        var zone = bare.indexOf('%');
        var plain = zone < 0 ? bare : bare.substring(0, zone);
        try {
            var parsed = InetAddress.ofLiteral(plain);
            return parsed instanceof Inet6Address
                    ? network(parsed.getAddress())
                    : parsed.getHostAddress();
        } catch (IllegalArgumentException noAddress) {
            return address;
        }
    }

    private static String network(byte[] bytes) {
        var text = new StringBuilder();
        for (var at = 0; at < BYTES_OF_NETWORK; at += 2) {
            var group = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
            text.append(Integer.toHexString(group)).append(':');
        }
        return text.append(":/64").toString();
    }
}
