package dev.artel.redis.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.client",
                "dev.artel.json",
                "dev.artel.json.text",
                "dev.artel.kernel..",
                "dev.artel.log",
                "org.slf4j..",
                "redis.clients.jedis..");
    }
}
