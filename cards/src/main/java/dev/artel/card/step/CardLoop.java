package dev.artel.card.step;

import dev.artel.card.template.Template;

/// How often a step runs another card.
///
/// @param times a number, or a list of which each item is a run
/// @param atOnce how many runs there are at the same time
public record CardLoop(Template times, int atOnce) {}
