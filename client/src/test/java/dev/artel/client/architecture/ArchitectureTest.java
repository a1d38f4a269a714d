package dev.artel.client.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.blueprint",
                "dev.artel.json",
                "dev.artel.json.bind",
                "dev.artel.json.text");
    }
}
