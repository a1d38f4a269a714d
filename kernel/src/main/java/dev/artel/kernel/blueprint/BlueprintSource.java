package dev.artel.kernel.blueprint;

import java.util.List;

/// Gives blueprints that are written with a builder: each of these is the source of itself. A jar names its sources in
/// `META-INF/services/dev.artel.kernel.blueprint.BlueprintSource`; annotated classes need no source.
@FunctionalInterface
public interface BlueprintSource {
    /// The blueprints. Called once for each start.
    List<Blueprint> blueprints();
}
