package dev.artel.engine.shell;

/// How many handlers run at once.
///
/// @param all how many of all blueprints; a blueprint that has none running may begin two more even then
/// @param share how many of one blueprint
/// @param computing how many of one blueprint that use a processor, or have not been seen to wait for something yet
/// @param abandoned how many of one blueprint may go on after their time was over and they were interrupted; with so
///     many it gets no further ones
public record HandlerPlaces(int all, int share, int computing, int abandoned) {
    /// A quarter of 256 for each blueprint.
    public static final HandlerPlaces DEFAULTS = of(256);

    /// Refuses what cannot work.
    public HandlerPlaces {
        atLeastOne("engine.max-handlers", all);
        atLeastOne("engine.max-handlers-per-blueprint", share);
        atLeastOne("engine.max-computing-handlers", computing);
        atLeastOne("engine.max-abandoned-handlers", abandoned);
    }

    /// `all` places, of which one blueprint may have a quarter.
    public static HandlerPlaces of(int all) {
        var share = Math.max(1, all / 4);
        var processors = Runtime.getRuntime().availableProcessors();
        return new HandlerPlaces(
                all, share, Math.min(share, Math.max(8, 4 * processors)), Math.max(1, share / 4));
    }

    /// As many places as `other`; what was not set otherwise follows from it.
    public HandlerPlaces withAll(int other) {
        var before = of(all);
        var after = of(other);
        return new HandlerPlaces(
                other,
                share == before.share ? after.share : share,
                computing == before.computing ? after.computing : computing,
                abandoned == before.abandoned ? after.abandoned : abandoned);
    }

    /// These places with another share for each blueprint.
    public HandlerPlaces withShare(int other) {
        return new HandlerPlaces(all, other, Math.min(computing, other), abandoned);
    }

    /// These places with another number of handlers of one blueprint that may be left behind.
    public HandlerPlaces withAbandoned(int other) {
        return new HandlerPlaces(all, share, computing, other);
    }

    private static void atLeastOne(String key, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(key + " must be at least 1, was " + value);
        }
    }
}
