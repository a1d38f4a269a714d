package dev.artel.config;

import java.util.List;
import java.util.Optional;

/// What stands before the orchestrator.
///
/// @param trusted addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-*` headers are believed
/// @param publicUrl where people and clients reach the orchestrator, without the base path; empty: where it listens
/// @param basePath under which all paths are, such as `/artel`; empty: none
/// @param forwarded whether the header `Forwarded` (RFC 7239) of a trusted proxy is believed, too
public record ProxySettings(
        List<String> trusted, String basePath, Optional<String> publicUrl, boolean forwarded) {
    /// Nothing.
    public static final ProxySettings DEFAULTS =
            new ProxySettings(List.of(), "", Optional.empty(), false);

    /// Refuses what cannot work.
    public ProxySettings {
        trusted = List.copyOf(trusted);
        for (var network : trusted) {
            Network.of(network);
        }
        if (!basePath.isEmpty()
                && (!basePath.matches("/[A-Za-z0-9._~/-]*[A-Za-z0-9._~-]")
                        || basePath.contains("//"))) {
            throw new IllegalArgumentException(
                    "proxy.base-path must look like /artel, was '" + basePath + "'");
        }
        publicUrl
                .filter(url -> !url.matches("https?://[^/?#@\\s]+"))
                .ifPresent(url -> {
                    throw new IllegalArgumentException(
                            "proxy.public-url must look like https://artel.example.org, was '"
                                    + url
                                    + "'; the path is proxy.base-path");
                });
    }

    /// These settings with another path.
    public ProxySettings withBasePath(String path) {
        return new ProxySettings(trusted, path, publicUrl, forwarded);
    }

    /// These settings with other proxies.
    public ProxySettings withTrusted(List<String> networks) {
        return new ProxySettings(networks, basePath, publicUrl, forwarded);
    }

    /// These settings with another address for people.
    public ProxySettings withPublicUrl(String url) {
        return new ProxySettings(trusted, basePath, Optional.of(url), forwarded);
    }

    /// These settings with or without the header `Forwarded`.
    public ProxySettings withForwarded(boolean believed) {
        return new ProxySettings(trusted, basePath, publicUrl, believed);
    }
}
