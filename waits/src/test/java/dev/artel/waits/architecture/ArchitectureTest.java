package dev.artel.waits.architecture;

import dev.artel.architecture.ModuleRules;
import java.util.List;

final class ArchitectureTest implements ModuleRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("org.awaitility..", "com.sun.management");
    }
}
