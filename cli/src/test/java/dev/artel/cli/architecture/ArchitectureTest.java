package dev.artel.cli.architecture;

import dev.artel.architecture.ModuleRules;
import java.util.List;

final class ArchitectureTest implements ModuleRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.client..", "dev.artel.blueprint..", "dev.artel.json..", "picocli..");
    }
}
