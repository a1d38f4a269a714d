package dev.artel.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PublicAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "168.63.129.16",
                "100.64.0.1",
                "100.127.255.255",
                "198.18.0.1",
                "192.0.0.8",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "fe80::1",
                "fc00::1",
                "fd00:ec2::254",
                "fec0::1",
                "ff02::1",
                "2001:db8::1",
                "2001::1",
                "2002:7f00:1::",
                "64:ff9b::7f00:1",
                "64:ff9b:1::1"
            })
    void whatIsNotOfTheInternet_isNotPublic(String address) throws Exception {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "172.32.0.1",
                "100.128.0.1",
                "2606:4700:4700::1111",
                "64:ff9b::101:101",
                "::ffff:1.1.1.1"
            })
    void whatIsOfTheInternet_isPublic(String address) throws Exception {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isTrue();
    }
}
