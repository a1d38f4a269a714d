package dev.artel.schedule.timing;

import com.cronutils.model.Cron;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.SpecialChar;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// When a cron expression is due, on a clock that never changes. The library that reads it finds the next time of one that is seldom due in
/// milliseconds, and lists of a thousand of them are asked for at will; this takes a microsecond. Immutable.
final class CronTimes {
    /// The calendar repeats itself after so many years.
    private static final int CYCLE = 400;

    private static final int MONTHS = 12;
    private static final int DAYS = 31;
    private static final int WEEK = 7;

    private final long seconds;
    private final long minutes;
    private final long hours;
    private final long months;

    /// Days of the month, and of the week from Sunday on, which is 0.
    private final Days ofMonth;

    private final Days ofWeek;

    /// The days of one of the two fields.
    ///
    /// @param isEach whether it is `*`, and the other field alone counts
    /// @param bits those that are the same in each month
    /// @param special the others, as `L`
    private record Days(boolean isEach, long bits, List<On> special) {}

    private CronTimes(
            long seconds, long minutes, long hours, long months, Days ofMonth, Days ofWeek) {
        this.seconds = seconds;
        this.minutes = minutes;
        this.hours = hours;
        this.months = months;
        this.ofMonth = ofMonth;
        this.ofWeek = ofWeek;
    }

    /// The times of `cron`.
    static CronTimes of(Cron cron) {
        return new CronTimes(
                bits(field(cron, CronFieldName.SECOND), 0, 59),
                bits(field(cron, CronFieldName.MINUTE), 0, 59),
                bits(field(cron, CronFieldName.HOUR), 0, 23),
                bits(field(cron, CronFieldName.MONTH), 1, MONTHS),
                days(field(cron, CronFieldName.DAY_OF_MONTH), 1, DAYS),
                daysOfWeek(days(field(cron, CronFieldName.DAY_OF_WEEK), 0, WEEK)));
    }

    /// Sunday is also 7.
    private static Days daysOfWeek(Days days) {
        var sunday = (days.bits() >> WEEK) & 1;
        return new Days(days.isEach(), days.bits() | sunday, days.special());
    }

    private static FieldExpression field(Cron cron, CronFieldName name) {
        return cron.retrieve(name).getExpression();
    }

    private static Days days(FieldExpression field, int first, int last) {
        var special = new ArrayList<On>();
        var bits = 0L;
        for (var item : field instanceof And all ? all.getExpressions() : List.of(field)) {
            if (item instanceof On on && on.getSpecialChar().getValue() != SpecialChar.NONE) {
                special.add(on);
            } else {
                bits |= bits(item, first, last);
            }
        }
        return new Days(field instanceof Always, bits, List.copyOf(special));
    }

    /// The bits of the values of a field.
    private static long bits(FieldExpression field, int first, int last) {
        return switch (field) {
            case Always _ -> steps(first, last, 1);
            case On on -> 1L << on.getTime().getValue();
            case Between range -> range(range, 1, first, last);
            case Every every -> {
                var step = every.getPeriod().getValue();
                yield switch (every.getExpression()) {
                    case Between range -> range(range, step, first, last);
                    case On on -> steps(on.getTime().getValue(), last, step);
                    default -> steps(first, last, step);
                };
            }
            case And all -> {
                var bits = 0L;
                for (var item : all.getExpressions()) {
                    bits |= bits(item, first, last);
                }
                yield bits;
            }
            default -> throw new IllegalStateException("there is no field " + field);
        };
    }

    /// One from Friday to Monday goes on behind the last day of the week.
    private static long range(Between range, int step, int first, int last) {
        var from = value(range.getFrom());
        var to = value(range.getTo());
        if (from <= to) {
            return steps(from, to, step);
        }
        var size = last == WEEK ? WEEK : last - first + 1;
        var bits = 0L;
        for (var value = from; value <= to + size; value += step) {
            bits |= 1L << (value >= first + size ? value - size : value);
        }
        return bits;
    }

    private static int value(FieldValue<?> value) {
        return (Integer) value.getValue();
    }

    private static long steps(int first, int last, int step) {
        var bits = 0L;
        for (var value = first; value <= last; value += step) {
            bits |= 1L << value;
        }
        return bits;
    }

    /// The first time after `after`, in whole seconds; empty if there is none.
    ///
    /// @throws java.time.DateTimeException if it would be behind the last year
    Optional<LocalDateTime> next(LocalDateTime after) {
        var earliest = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        var day = earliest.toLocalDate();
        if (isDue(day)) {
            var time = next(earliest.toLocalTime());
            if (time.isPresent()) {
                return Optional.of(day.atTime(time.get()));
            }
        }
        return nextDay(day.plusDays(1)).map(next -> next.atTime(first()));
    }

    private LocalTime first() {
        return LocalTime.of(
                Long.numberOfTrailingZeros(hours),
                Long.numberOfTrailingZeros(minutes),
                Long.numberOfTrailingZeros(seconds));
    }

    /// The first time of a day from `earliest` on.
    private Optional<LocalTime> next(LocalTime earliest) {
        var hour = from(hours, earliest.getHour());
        if (hour < 0) {
            return Optional.empty();
        }
        if (hour > earliest.getHour()) {
            return Optional.of(first().withHour(hour));
        }
        var minute = from(minutes, earliest.getMinute());
        if (minute == earliest.getMinute()) {
            var second = from(seconds, earliest.getSecond());
            if (second >= 0) {
                return Optional.of(LocalTime.of(hour, minute, second));
            }
            minute = from(minutes, minute + 1);
        }
        if (minute >= 0) {
            return Optional.of(first().withHour(hour).withMinute(minute));
        }
        var later = from(hours, hour + 1);
        return later < 0 ? Optional.empty() : Optional.of(first().withHour(later));
    }

    /// The lowest of `bits` from `value` on; -1 if there is none.
    private static int from(long bits, int value) {
        var left = bits >>> value << value;
        return value >= Long.SIZE || left == 0 ? -1 : Long.numberOfTrailingZeros(left);
    }

    private boolean isDue(LocalDate day) {
        return (months >> day.getMonthValue() & 1) == 1
                && (days(YearMonth.from(day)) >> day.getDayOfMonth() & 1) == 1;
    }

    private Optional<LocalDate> nextDay(LocalDate earliest) {
        var month = YearMonth.from(earliest);
        var day = earliest.getDayOfMonth();
        for (var searched = 0; searched <= CYCLE * MONTHS; searched++) {
            if ((months >> month.getMonthValue() & 1) == 1) {
                var found = from(days(month), day);
                if (found > 0) {
                    return Optional.of(month.atDay(found));
                }
            }
            month = month.plusMonths(1);
            day = 1;
        }
        return Optional.empty();
    }

    /// The bits of the days of `month` on which it is due. Where both fields are set, either is enough.
    private long days(YearMonth month) {
        var length = month.lengthOfMonth();
        if (ofMonth.isEach() && ofWeek.isEach()) {
            return steps(1, length, 1);
        }
        var bits = 0L;
        if (!ofMonth.isEach()) {
            bits |= ofMonth.bits();
            for (var item : ofMonth.special()) {
                bits |= 1L << dayOfMonth(item, month);
            }
        }
        if (!ofWeek.isEach()) {
            bits |= daysOfWeek(month);
        }
        return bits & steps(1, length, 1);
    }

    private long daysOfWeek(YearMonth month) {
        var first = month.atDay(1).getDayOfWeek().getValue() % WEEK;
        var bits = 0L;
        for (var day = 1; day <= month.lengthOfMonth(); day++) {
            if ((ofWeek.bits() >> (first + day - 1) % WEEK & 1) == 1) {
                bits |= 1L << day;
            }
        }
        for (var item : ofWeek.special()) {
            var wanted = item.getTime().getValue() % WEEK;
            var day = 1 + Math.floorMod(wanted - first, WEEK);
            if (item.getSpecialChar().getValue() == SpecialChar.HASH) {
                day += (item.getNth().getValue() - 1) * WEEK;
            } else {
                day += (month.lengthOfMonth() - day) / WEEK * WEEK;
            }
            bits |= day <= DAYS ? 1L << day : 0;
        }
        return bits;
    }

    private static int dayOfMonth(On item, YearMonth month) {
        var last = month.lengthOfMonth();
        return switch (item.getSpecialChar().getValue()) {
            case L -> last;
            case LW -> nearestWorkday(month, last);
            default -> nearestWorkday(month, item.getTime().getValue());
        };
    }

    /// Monday to Friday, in the same month.
    private static int nearestWorkday(YearMonth month, int day) {
        return switch (month.atDay(day).getDayOfWeek()) {
            case SATURDAY -> day == 1 ? day + 2 : day - 1;
            case SUNDAY -> day == month.lengthOfMonth() ? day - 2 : day + 1;
            default -> day;
        };
    }
}
