package dev.artel.actions.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.config",
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.worker",
                "com.jayway.jsonpath..",
                "dev.langchain4j..",
                "org.apache.hc..");
    }
}
