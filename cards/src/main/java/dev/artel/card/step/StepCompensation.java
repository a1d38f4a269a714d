package dev.artel.card.step;

import dev.artel.card.template.Template;
import java.time.Duration;

/// What compensates a step that was done, when the process fails or is cancelled later.
///
/// @param params may refer to the output of the step
public record StepCompensation(String action, Template params, Duration timeout) {}
