package dev.artel.simulation.disk;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.EventCodec;
import java.util.List;

/// What becomes of events and commands on their way to bytes and back.
public interface Copying {
    /// They stay what they are.
    Copying NONE =
            new Copying() {
                @Override
                public List<JobEvent> events(List<JobEvent> events) {
                    return events;
                }

                @Override
                public JobCommand command(JobCommand command) {
                    return command;
                }

                @Override
                public Job fold(Job fold) {
                    return fold;
                }
            };

    List<JobEvent> events(List<JobEvent> events);

    JobCommand command(JobCommand command);

    Job fold(Job fold);

    /// They are written and read.
    static Copying with(EventCodec codec) {
        return new Copying() {
            @Override
            public List<JobEvent> events(List<JobEvent> events) {
                return codec.decode(codec.encode(events));
            }

            @Override
            public JobCommand command(JobCommand command) {
                return codec.decodeCommand(codec.encode(command));
            }

            @Override
            public Job fold(Job fold) {
                return codec.decodeFold(codec.encode(fold)).orElseThrow();
            }
        };
    }
}
