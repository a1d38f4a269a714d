package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Demand;

/// A task of which to find out whether it would be placed.
///
/// @param blueprint the name of the definition of its job
/// @param client whose it would be
public record ForecastQuestion(String type, Demand demand, String blueprint, String client) {}
