package dev.artel.mcp.architecture;

import dev.artel.architecture.ModuleRules;
import java.util.List;

final class ArchitectureTest implements ModuleRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.cli",
                "dev.artel.client..",
                "dev.artel.json..",
                "io.modelcontextprotocol..",
                "jakarta.servlet..",
                "org.eclipse.jetty..",
                "picocli..");
    }
}
