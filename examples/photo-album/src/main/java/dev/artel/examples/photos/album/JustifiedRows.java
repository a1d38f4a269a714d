package dev.artel.examples.photos.album;

import java.util.ArrayList;
import java.util.List;

/// Sets pictures of any shape into rows of equal width, uncropped: within a row all have the same height. Where rows break is
/// chosen so that all rows are as near to one height as can be.
final class JustifiedRows {
    private JustifiedRows() {}

    /// Pictures `from` (inclusive) to `to` (exclusive), each `height` pixels high.
    record Row(int from, int to, double height) {}

    /// @param aspects width by height of each picture, in order
    /// @param width of a row, with `gap` pixels between two pictures
    static List<Row> of(List<Double> aspects, int width, int gap, double wantedHeight) {
        var count = aspects.size();
        var cost = new double[count + 1];
        var start = new int[count + 1];
        for (var to = 1; to <= count; to++) {
            cost[to] = Double.MAX_VALUE;
            for (var from = to - 1; from >= 0; from--) {
                var off = Math.log(heightOf(aspects.subList(from, to), width, gap) / wantedHeight);
                if (cost[from] + off * off < cost[to]) {
                    cost[to] = cost[from] + off * off;
                    start[to] = from;
                }
            }
        }
        var rows = new ArrayList<Row>();
        for (var to = count; to > 0; to = start[to]) {
            var height = heightOf(aspects.subList(start[to], to), width, gap);
            rows.addFirst(new Row(start[to], to, Math.min(height, 1.6 * wantedHeight)));
        }
        return rows;
    }

    /// Never zero: more pictures than fit still make a row, if a bad one.
    private static double heightOf(List<Double> aspects, int width, int gap) {
        var sum = aspects.stream().mapToDouble(Double::doubleValue).sum();
        return Math.max(1, (width - (aspects.size() - 1) * gap) / sum);
    }
}
