package dev.artel.config;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Distinguishes the addresses of the public internet from all others (RFC 6890 and the registries of IANA), so that
/// nobody makes the orchestrator call what only it can reach.
public final class PublicAddresses {
    private static final List<Network> OTHERS =
            Stream.of(
                            "0.0.0.0/8",
                            "10.0.0.0/8",
                            "100.64.0.0/10",
                            "127.0.0.0/8",
                            "168.63.129.16/32", // the host of virtual machines at Azure
                            "169.254.0.0/16",
                            "172.16.0.0/12",
                            "192.0.0.0/24",
                            "192.0.2.0/24",
                            "192.88.99.0/24",
                            "192.168.0.0/16",
                            "198.18.0.0/15",
                            "198.51.100.0/24",
                            "203.0.113.0/24",
                            "224.0.0.0/4",
                            "240.0.0.0/4",
                            "2001::/23",
                            "2001:db8::/32",
                            "2002::/16",
                            "3fff::/20")
                    .map(Network::of)
                    .toList();

    /// All that is given out of IPv6.
    private static final Network GLOBAL = Network.of("2000::/3");

    /// IPv4 behind a translator (RFC 6052).
    private static final Network TRANSLATED = Network.of("64:ff9b::/96");

    private PublicAddresses() {}

    /// Whether `address` is one of the public internet.
    public static boolean contain(InetAddress address) {
        if (address instanceof Inet4Address) {
            return OTHERS.stream().noneMatch(other -> other.contains(address));
        }
        if (TRANSLATED.contains(address)) {
            return contain(lastFour(address.getAddress()));
        }
        return GLOBAL.contains(address)
                && OTHERS.stream().noneMatch(other -> other.contains(address));
    }

    private static InetAddress lastFour(byte[] bytes) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four bytes are an address", impossible);
        }
    }
}
