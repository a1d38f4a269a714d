package dev.artel.kernel.architecture;

import dev.artel.architecture.PurityRules;
import java.util.List;

final class ArchitectureTest implements PurityRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.json", "dev.artel.json.bind");
    }

    @Override
    public String[] purePackages() {
        return new String[] {"dev.artel.kernel.."};
    }
}
