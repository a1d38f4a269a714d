package dev.artel.cli.architecture;

import dev.artel.architecture.ModuleRules;
import java.util.List;

final class ArchitectureTest implements ModuleRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json", "dev.artel.json.text", "dev.artel.protocol..", "picocli..");
    }
}
