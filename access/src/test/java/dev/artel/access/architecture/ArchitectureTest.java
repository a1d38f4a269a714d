package dev.artel.access.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.log",
                "dev.artel.gateway..",
                "dev.artel.config..",
                "dev.artel.files..",
                "com.fasterxml.jackson.core..",
                "com.fasterxml.jackson.dataformat.toml..",
                "io.github.bucket4j..",
                "org.slf4j..");
    }
}
