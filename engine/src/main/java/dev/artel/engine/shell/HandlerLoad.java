package dev.artel.engine.shell;

/// The handlers of one blueprint at one moment.
///
/// @param running how many run and were not left behind
/// @param computing how many of all that run use a processor, or have not been seen to wait for something yet
/// @param waiting how many wait to begin
/// @param abandoned how many go on although their time is over and they were interrupted
public record HandlerLoad(
        String blueprint, int running, int computing, int waiting, int abandoned) {}
