package dev.artel.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AddressBlockTest {
    @Test
    void addressesOfOneNetworkOfIpv6_areOneBlock() {
        assertThat(AddressBlock.of("2001:db8:0:1::7")).isEqualTo("2001:db8:0:1::/64");
        assertThat(AddressBlock.of("2001:db8:0:1:ffff:1:2:3")).isEqualTo("2001:db8:0:1::/64");
        assertThat(AddressBlock.of("[2001:db8:0:1::7]")).isEqualTo("2001:db8:0:1::/64");
        assertThat(AddressBlock.of("[fe80::1%eth0]")).isEqualTo("fe80:0:0:0::/64");
        assertThat(AddressBlock.of("fe80::1%eth0")).isEqualTo("fe80:0:0:0::/64");
        assertThat(AddressBlock.of("2001:db8:0:2::7")).isEqualTo("2001:db8:0:2::/64");
    }

    @Test
    void anAddressOfIpv4_isItself() {
        assertThat(AddressBlock.of("192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(AddressBlock.of("::ffff:192.0.2.7")).isEqualTo("192.0.2.7");
    }

    @Test
    void whatIsNoAddress_isItsOwnBlock() {
        assertThat(AddressBlock.of("null")).isEqualTo("null");
        assertThat(AddressBlock.of("a:b")).isEqualTo("a:b");
        assertThat(AddressBlock.of("")).isEmpty();
    }
}
