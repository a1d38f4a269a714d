package dev.artel.opentelemetry.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.blueprint",
                "dev.artel.client",
                "dev.artel.json",
                "dev.artel.worker",
                "io.opentelemetry..");
    }
}
