package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.Optional;

/// Records all calls, and lets everything go on.
final class RecordingSupervision implements Supervision {
    private final List<String> reports;

    RecordingSupervision(List<String> reports) {
        this.reports = reports;
    }

    @Override
    public void fatal(String part, Throwable error, List<JobId> workedOn) {
        reports.add(part + " " + error + " " + workedOn);
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
