package dev.artel.access;

import java.util.Locale;
import java.util.Optional;

/// What a caller of the API may do.
public enum Role {
    /// Submits jobs; sees and changes its own ones only.
    CLIENT,
    /// Sees everything and changes nothing.
    VIEWER,
    /// Sees and changes everything, and operates the orchestrator.
    OPERATOR;

    /// The role that a file calls `name`; `admin` is another word for the operator.
    static Optional<Role> of(String name) {
        return switch (name) {
            case "client" -> Optional.of(CLIENT);
            case "viewer" -> Optional.of(VIEWER);
            case "operator", "admin" -> Optional.of(OPERATOR);
            default -> Optional.empty();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
