package dev.artel.kernel.job;

/// The name of an effect, the same after a crash: the event that asked for it, and which of its wishes it is.
///
/// @param event the number of the event in its stream, from 1
/// @param ordinal from 0
public record EffectId(long event, int ordinal) implements Comparable<EffectId> {
    /// The form `17.0`.
    @Override
    public String toString() {
        return event + "." + ordinal;
    }

    /// Reads the form of [#toString].
    ///
    /// @throws IllegalArgumentException if `text` has another form
    public static EffectId parse(String text) {
        var dot = text.indexOf('.');
        try {
            return new EffectId(
                    Long.parseLong(text.substring(0, Math.max(dot, 0))),
                    Integer.parseInt(text.substring(dot + 1)));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "effect id must have the form 17.0, was '" + text + "'", notANumber);
        }
    }

    @Override
    public int compareTo(EffectId other) {
        var byEvent = Long.compare(event, other.event);
        return byEvent != 0 ? byEvent : Integer.compare(ordinal, other.ordinal);
    }
}
