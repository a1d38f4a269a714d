package dev.artel.store.codec;

import dev.artel.kernel.job.Job;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// Writes folded jobs as bytes and reads them back. Safe for use by many threads.
///
/// It goes by the shape of the records that a [Job] is made of, so that no part of one can be left out. The bytes are a
/// cache and nothing else: they begin with a digest of the rules' code, and what another build has written is not read.
final class FoldCodec {
    private static final int BUFFER = 8 << 10;

    /// The codec for the rules of this process.
    static final FoldCodec OF_THIS_PROCESS = new FoldCodec(RulesDigest.OF_THIS_PROCESS);

    private final FoldFormat shape = new FoldFormats().of(Job.class);
    private final byte[] rules;

    /// @param rules what stands for the rules
    FoldCodec(byte[] rules) {
        this.rules = rules.clone();
    }

    /// `job` as bytes.
    byte[] encode(Job job) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(rules);
        var deflater = new Deflater(Deflater.BEST_SPEED);
        var deflated = new DeflaterOutputStream(bytes, deflater, BUFFER, false);
        // A fold is written byte by byte, and each write to the deflater is a native call.
        try (var out = new DataOutputStream(new BufferedOutputStream(deflated, BUFFER))) {
            shape.write(job, new FoldOut(out));
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    /// The job of `bytes`; empty if another build wrote them, or they are damaged.
    Optional<Job> decode(byte[] bytes) {
        if (bytes.length < rules.length
                || !Arrays.equals(bytes, 0, rules.length, rules, 0, rules.length)) {
            return Optional.empty();
        }
        var rest = new ByteArrayInputStream(bytes, rules.length, bytes.length - rules.length);
        var inflated = new BufferedInputStream(new InflaterInputStream(rest), BUFFER);
        try (var in = new DataInputStream(inflated)) {
            var job = (Job) shape.read(new FoldIn(in));
            return in.read() < 0 ? Optional.of(job) : Optional.empty();
        } catch (IOException | RuntimeException damaged) {
            // A cache: what cannot be read is folded again by the caller.
            return Optional.empty();
        }
    }
}
