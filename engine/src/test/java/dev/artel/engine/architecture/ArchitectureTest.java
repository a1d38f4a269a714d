package dev.artel.engine.architecture;

import dev.artel.architecture.SingleThreadedRules;
import java.util.List;

final class ArchitectureTest implements SingleThreadedRules {
    @Override
    public List<String> allowedPackages() {
        // The platform's own figures of threads: what a handler allocates names the one that takes
        // all memory.
        return List.of(
                "dev.artel.json..", "dev.artel.kernel..", "org.slf4j..", "com.sun.management");
    }

    @Override
    public String[] purePackages() {
        return new String[] {"dev.artel.engine.core.."};
    }
}
