package dev.artel.json.text.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.json", "com.fasterxml.jackson.core..");
    }
}
