package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action.RunBlueprint;

/// What may be set for a child, in all styles: what may be set for any [job that is started](StartOptions), and what its end means to its
/// parent.
///
/// @param <S> what has the options, and returns itself with one more
public sealed interface ChildOptions<S> extends StartOptions<S>
        permits CallChild, CallChildren, ChildCall {
    /// Takes it for failed when it is quarantined, in place of waiting for a person.
    default S failingWhenQuarantined() {
        return with(new JobSetting(RunBlueprint::failingWhenQuarantined));
    }
}
