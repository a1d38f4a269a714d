package dev.artel.worker.server.hub;

/// A message of a registered worker that is no JSON, or too large.
///
/// @param worker who sent it
/// @param text the message, or the beginning of one that is too large; what is no UTF-8 in it is replaced
/// @param isTooLarge whether it has more than [HubLimits#maxMessageBytes]
/// @param problem what is wrong with it, for people
public record UnreadableFrame(
        PooledWorker worker, String text, boolean isTooLarge, String problem) {}
