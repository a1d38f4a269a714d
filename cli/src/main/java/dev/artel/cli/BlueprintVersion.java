package dev.artel.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Of which version of a blueprint a command speaks.
final class BlueprintVersion {
    @Option(
            names = "--blueprint-version",
            paramLabel = "VERSION",
            description = "the version; the newest unless set otherwise")
    private @Nullable String version;

    /// The address of a document of this version.
    String of(String path) {
        return version == null ? path : path + "?version=" + CliConnection.encoded(version);
    }

    /// The address of a document of this version, with one more parameter.
    String of(String path, String parameter) {
        return of(path) + (version == null ? "?" : "&") + parameter;
    }
}
