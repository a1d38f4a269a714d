package dev.artel.gateway.http;

import dev.artel.protocol.ResultBatch;
import dev.artel.protocol.TaskSigner;
import java.util.Optional;

/// The limits of the worker routes.
///
/// @param maxBodyBytes larger messages are refused, not truncated
/// @param maxBatchBytes larger batches of results are refused, not truncated
/// @param maxBatch how many results one batch may have
/// @param maxSockets how many WebSockets are open at once
/// @param taskSigner signs the tasks that workers get, over WebSockets as well; empty: they are not signed
public record GatewayConfig(
        int maxBodyBytes,
        int maxBatchBytes,
        int maxBatch,
        int maxSockets,
        Optional<TaskSigner> taskSigner) {
    /// Messages of 1 MiB, batches of 8 MiB and 1,000 results, 20,000 sockets.
    public static final GatewayConfig DEFAULTS =
            new GatewayConfig(1 << 20, 8 << 20, ResultBatch.MOST, 20_000);

    /// Refuses limits with which nothing works.
    public GatewayConfig {
        require(
                maxBodyBytes >= 1024,
                "gateway.max-body-bytes must be at least 1024, was " + maxBodyBytes);
        require(
                maxBatchBytes >= maxBodyBytes,
                "gateway.max-batch-bytes ("
                        + maxBatchBytes
                        + ") is below gateway.max-body-bytes ("
                        + maxBodyBytes
                        + ")");
        require(maxBatch >= 1, "gateway.max-batch must be at least 1, was " + maxBatch);
        require(maxSockets >= 0, "gateway.max-sockets must be at least 0, was " + maxSockets);
    }

    /// Limits without signatures.
    public GatewayConfig(int maxBodyBytes, int maxBatchBytes, int maxBatch, int maxSockets) {
        this(maxBodyBytes, maxBatchBytes, maxBatch, maxSockets, Optional.empty());
    }

    /// Tasks signed with `secret`.
    public GatewayConfig withTaskSecretKey(String secret) {
        return new GatewayConfig(
                maxBodyBytes,
                maxBatchBytes,
                maxBatch,
                maxSockets,
                Optional.of(new TaskSigner(secret)));
    }

    /// Messages of at most `bytes`, and batches that are no smaller.
    public GatewayConfig withMaxBodyBytes(int bytes) {
        return new GatewayConfig(
                bytes, Math.max(bytes, maxBatchBytes), maxBatch, maxSockets, taskSigner);
    }

    /// Batches of at most `bytes`.
    public GatewayConfig withMaxBatchBytes(int bytes) {
        return new GatewayConfig(maxBodyBytes, bytes, maxBatch, maxSockets, taskSigner);
    }

    /// Batches of at most `results`.
    public GatewayConfig withMaxBatch(int results) {
        return new GatewayConfig(maxBodyBytes, maxBatchBytes, results, maxSockets, taskSigner);
    }

    /// At most `sockets` WebSockets.
    public GatewayConfig withMaxSockets(int sockets) {
        return new GatewayConfig(maxBodyBytes, maxBatchBytes, maxBatch, sockets, taskSigner);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
