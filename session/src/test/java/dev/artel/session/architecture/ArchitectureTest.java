package dev.artel.session.architecture;

import dev.artel.architecture.SingleThreadedRules;
import java.util.List;

final class ArchitectureTest implements SingleThreadedRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "dev.artel.protocol..");
    }

    @Override
    public String[] purePackages() {
        return new String[] {"dev.artel.session.."};
    }
}
