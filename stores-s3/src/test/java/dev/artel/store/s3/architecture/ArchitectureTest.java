package dev.artel.store.s3.architecture;

import dev.artel.architecture.LibraryRules;
import java.util.List;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.kernel..", "software.amazon.awssdk..");
    }
}
