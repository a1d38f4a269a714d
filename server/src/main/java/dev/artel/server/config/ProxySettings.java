package dev.artel.server.config;

import java.util.List;

/// What stands before the orchestrator.
///
/// @param trusted addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-*` headers are believed
/// @param basePath under which all paths are, such as `/artel`; empty: none
public record ProxySettings(List<String> trusted, String basePath) {
    /// Nothing.
    public static final ProxySettings DEFAULTS = new ProxySettings(List.of(), "");

    /// Refuses what cannot work.
    public ProxySettings {
        trusted = List.copyOf(trusted);
        for (var network : trusted) {
            Network.of(network);
        }
        if (!basePath.isEmpty() && !basePath.matches("(/[A-Za-z0-9._~-]+)+")) {
            throw new IllegalArgumentException(
                    "proxy.base-path must look like /artel, was '" + basePath + "'");
        }
    }

    /// These settings with another path.
    public ProxySettings withBasePath(String path) {
        return new ProxySettings(trusted, path);
    }

    /// These settings with other proxies.
    public ProxySettings withTrusted(List<String> networks) {
        return new ProxySettings(networks, basePath);
    }
}
