package dev.artel.examples.photos.imaging;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Dominant colours by k-means over a coarse histogram, in OKLab, of which those that catch the eye are kept. No randomness: the first centre is the heaviest bin, every
/// further one the bin that is worst served by those before it, so the same picture always has the same palette.
final class Palette {
    private static final int COLOURS = 5;

    /// More clusters than colours are looked for: a small vivid part would else vanish in a large dull one.
    private static final int CLUSTERS = 10;

    /// How much more a fully vivid colour counts than a grey of the same share when the five are chosen.
    private static final double VIVIDNESS = 12;

    private static final int ROUNDS = 24;

    /// Centres closer than this look the same and become one.
    private static final double SAME = 0.035 * 0.035;

    private Palette() {}

    private record Bin(Oklab colour, double weight) {}

    /// At most five colours, the most frequent first; fewer for a picture that has no more.
    static List<Swatch> of(BufferedImage picture) {
        var bins = histogram(picture);
        var centres = chosen(bins, merged(settled(bins)));
        var weights = weights(bins, centres);
        var total = bins.stream().mapToDouble(Bin::weight).sum();
        var swatches = new ArrayList<Swatch>();
        for (var i = 0; i < centres.size(); i++) {
            swatches.add(new Swatch(centres.get(i).hex(), Math.min(1, weights[i] / total)));
        }
        swatches.sort(Comparator.comparingDouble(Swatch::share).reversed());
        return List.copyOf(swatches);
    }

    private static List<Bin> histogram(BufferedImage picture) {
        var byBin = new TreeMap<Integer, Sum>();
        for (var y = 0; y < picture.getHeight(); y++) {
            for (var x = 0; x < picture.getWidth(); x++) {
                var rgb = picture.getRGB(x, y) & 0xffffff;
                var bin =
                        (rgb >> 11 & 0x1f) + ((rgb >> 3 & 0x1f) << 5) + ((rgb >> 19 & 0x1f) << 10);
                byBin.computeIfAbsent(bin, _ -> new Sum()).add(Oklab.of(rgb), 1);
            }
        }
        return byBin.values().stream().map(sum -> new Bin(sum.mean(), sum.weight)).toList();
    }

    private static List<Oklab> settled(List<Bin> bins) {
        var centres = seeds(bins);
        for (var round = 0; round < ROUNDS; round++) {
            var sums = new ArrayList<Sum>();
            centres.forEach(_ -> sums.add(new Sum()));
            for (var bin : bins) {
                sums.get(nearest(centres, bin.colour())).add(bin.colour(), bin.weight());
            }
            var moved = sums.stream().filter(sum -> sum.weight > 0).map(Sum::mean).toList();
            if (moved.equals(centres)) {
                break;
            }
            centres = moved;
        }
        return centres;
    }

    private static List<Oklab> seeds(List<Bin> bins) {
        var seeds = new ArrayList<Oklab>();
        seeds.add(
                bins.stream().max(Comparator.comparingDouble(Bin::weight)).orElseThrow().colour());
        while (seeds.size() < CLUSTERS) {
            var worst =
                    bins.stream()
                            .max(Comparator.comparingDouble(bin -> cost(seeds, bin)))
                            .orElseThrow();
            if (cost(seeds, worst) == 0) {
                break;
            }
            seeds.add(worst.colour());
        }
        return seeds;
    }

    private static double cost(List<Oklab> centres, Bin bin) {
        return bin.weight()
                * bin.colour().distanceSquared(centres.get(nearest(centres, bin.colour())));
    }

    private static List<Oklab> merged(List<Oklab> centres) {
        var kept = new ArrayList<Oklab>();
        for (var centre : centres) {
            if (kept.stream().noneMatch(other -> other.distanceSquared(centre) < SAME)) {
                kept.add(centre);
            }
        }
        return kept;
    }

    private static List<Oklab> chosen(List<Bin> bins, List<Oklab> centres) {
        var weights = weights(bins, centres);
        return IntStream.range(0, centres.size())
                .boxed()
                .sorted(
                        Comparator.comparingDouble(
                                i -> -weights[i] * (1 + VIVIDNESS * centres.get(i).chroma())))
                .limit(COLOURS)
                .map(centres::get)
                .toList();
    }

    private static double[] weights(List<Bin> bins, List<Oklab> centres) {
        var weights = new double[centres.size()];
        for (var bin : bins) {
            weights[nearest(centres, bin.colour())] += bin.weight();
        }
        return weights;
    }

    private static int nearest(List<Oklab> centres, Oklab colour) {
        var best = 0;
        for (var i = 1; i < centres.size(); i++) {
            if (centres.get(i).distanceSquared(colour)
                    < centres.get(best).distanceSquared(colour)) {
                best = i;
            }
        }
        return best;
    }

    private static final class Sum {
        private double l;
        private double a;
        private double b;
        private double weight;

        void add(Oklab colour, double by) {
            l += colour.l() * by;
            a += colour.a() * by;
            b += colour.b() * by;
            weight += by;
        }

        Oklab mean() {
            return new Oklab(l / weight, a / weight, b / weight);
        }
    }
}
