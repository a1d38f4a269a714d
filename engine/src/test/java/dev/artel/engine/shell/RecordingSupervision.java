package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.Optional;

/// Records all calls, and lets everything go on.
final class RecordingSupervision implements Supervision {
    private final List<String> told;

    RecordingSupervision(List<String> told) {
        this.told = told;
    }

    @Override
    public void fatal(String part, Throwable error, List<JobId> workedOn) {
        told.add(part + " " + error + " " + workedOn);
    }

    @Override
    public Optional<String> setAside(JobId job) {
        return Optional.empty();
    }

    @Override
    public boolean setsAsideAny() {
        return false;
    }
}
