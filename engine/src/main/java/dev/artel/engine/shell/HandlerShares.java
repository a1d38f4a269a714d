package dev.artel.engine.shell;

import java.util.Optional;

/// Who has how many of the places for handlers, and what may begin: the counts of a [HandlerPool], without its threads.
///
/// A blueprint has a share of all places, and never more than are still free, so that several greedy ones leave room as
/// well (dynamic thresholds, Choudhury and Hahne 1998); two places are its own whatever the others have. Not safe for use by several threads.
public final class HandlerShares {
    /// What a blueprint may have whatever the others have.
    public static final int OWN = 2;

    private final HandlerPlaces places;
    private int running;

    /// Nothing runs yet.
    public HandlerShares(HandlerPlaces places) {
        this.places = places;
    }

    /// The share of `blueprint`, which has none yet and has nothing.
    public Share open(String blueprint) {
        return new Share(blueprint);
    }

    /// How many have a place.
    int running() {
        return running;
    }

    /// What one blueprint has.
    public final class Share {
        private final String blueprint;
        private int running;
        private int computing;
        private int abandoned;

        /// How many of those that were abandoned compute.
        private int spinning;

        private Share(String blueprint) {
            this.blueprint = blueprint;
        }

        /// Why no handler of the blueprint may begin, for people; empty if one may.
        public Optional<String> obstacle() {
            if (abandoned >= places.abandoned()) {
                return Optional.of(
                        "blueprint '"
                                + blueprint
                                + "' gets no further handlers: "
                                + abandoned
                                + " of its handlers go on although their time is over and they were interrupted"
                                + " (engine.max-abandoned-handlers); fix them and restart the orchestrator");
            }
            if (spinning >= places.computing()) {
                return Optional.of(
                        "blueprint '"
                                + blueprint
                                + "' gets no further handlers: "
                                + spinning
                                + " of its handlers compute although their time is over and they were interrupted,"
                                + " as many as may compute at once; fix them and restart the orchestrator");
            }
            if (computing >= places.computing()) {
                return Optional.of(
                        computing
                                + " handlers of blueprint '"
                                + blueprint
                                + "' compute, as many as one blueprint may have at once; the next one begins"
                                + " when one of them ends or is out of time");
            }
            if (running < Math.min(OWN, places.share())) {
                return Optional.empty();
            }
            if (running >= places.share()) {
                return Optional.of(
                        running
                                + " handlers of blueprint '"
                                + blueprint
                                + "' run, as many as one blueprint may have at once"
                                + " (engine.max-handlers-per-blueprint)");
            }
            return running < places.all() - HandlerShares.this.running
                    ? Optional.empty()
                    : Optional.of(
                            HandlerShares.this.running
                                    + " handlers run, "
                                    + running
                                    + " of them of blueprint '"
                                    + blueprint
                                    + "'; the rest of "
                                    + places.all()
                                    + " places is kept for others (engine.max-handlers)");
        }

        /// Whether a handler of the blueprint may begin.
        public boolean mayBegin() {
            return obstacle().isEmpty();
        }

        /// A handler begins, and computes as far as is known.
        public Place begin() {
            running++;
            HandlerShares.this.running++;
            var place = new Place(this, true);
            place.computes();
            return place;
        }

        /// Code of the blueprint runs that has no place and needs none; it waits as far as is known.
        Place beside() {
            return new Place(this, false);
        }

        int computing() {
            return computing;
        }

        int abandoned() {
            return abandoned;
        }

        HandlerLoad load(int waiting) {
            return new HandlerLoad(blueprint, running, computing, waiting, abandoned);
        }

        private void leave() {
            running--;
            HandlerShares.this.running--;
        }

        private void count(Place place, int by) {
            computing += place.computes ? by : 0;
            abandoned += place.abandoned ? by : 0;
            spinning += place.computes && place.abandoned ? by : 0;
        }
    }

    /// What one run of a handler takes.
    public final class Place {
        private final Share share;

        /// Whether no other blueprint may have it.
        private boolean isTaken;

        private boolean computes;
        private boolean abandoned;

        private Place(Share share, boolean isTaken) {
            this.share = share;
            this.isTaken = isTaken;
        }

        /// The handler uses a processor.
        public void computes() {
            share.count(this, -1);
            computes = true;
            share.count(this, 1);
        }

        /// The handler waits for something.
        public void waits() {
            share.count(this, -1);
            computes = false;
            share.count(this, 1);
        }

        boolean isComputing() {
            return computes;
        }

        boolean isAbandoned() {
            return abandoned;
        }

        /// Leaves its place to others although the handler goes on.
        ///
        /// @return false if the blueprint has too many of those, so that it keeps its place
        public boolean abandon() {
            if (isTaken && share.abandoned >= places.abandoned()) {
                return false;
            }
            share.count(this, -1);
            abandoned = true;
            share.count(this, 1);
            leave();
            return true;
        }

        /// The handler has ended.
        public void end() {
            share.count(this, -1);
            leave();
        }

        private void leave() {
            if (isTaken) {
                isTaken = false;
                share.leave();
            }
        }
    }
}
