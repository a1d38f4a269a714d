package dev.artel.blueprint;

import java.util.List;

/// Gives the blueprints of a jar that are typed states or functions. The jar names it in
/// `META-INF/services/dev.artel.blueprint.BlueprintProvider`; annotated classes need no provider.
///
/// ```java
/// public final class Trips implements BlueprintProvider {
///     @Override
///     public List<Blueprint> blueprints() {
///         return List.of(TripBlueprint.trip(), PaymentBlueprint.payment());
///     }
/// }
/// ```
///
/// It has a constructor without parameters.
@FunctionalInterface
public interface BlueprintProvider {
    /// The blueprints. Called once for each start.
    List<Blueprint> blueprints();
}
