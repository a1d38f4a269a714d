package dev.artel.maintenance.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.store..",
                "dev.artel.config..",
                "dev.artel.files..",
                "dev.artel.access..",
                "dev.artel.tokens..",
                "org.slf4j..");
    }
}
