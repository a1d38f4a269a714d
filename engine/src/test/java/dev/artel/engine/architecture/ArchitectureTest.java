package dev.artel.engine.architecture;

import dev.artel.architecture.SingleThreadedRules;
import java.util.List;

final class ArchitectureTest implements SingleThreadedRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.json..", "dev.artel.kernel..", "org.slf4j..");
    }

    @Override
    public String[] purePackages() {
        return new String[] {"dev.artel.engine.core.."};
    }
}
