package dev.artel.telemetry.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.engine..",
                "dev.artel.config..",
                "io.opentelemetry..",
                "org.slf4j..");
    }
}
