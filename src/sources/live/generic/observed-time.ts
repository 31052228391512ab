// When a value was observed, by the feed's own word: format, zone, and the rule for times that occur twice.

import { scalarText } from '../../core/rows/number.ts';
import { epochTime, plausibleTime } from '../../core/rows/time.ts';
import { isInterval, readInterval } from './interval.ts';
import { instantsAt, offsetAt } from './local-time.ts';
import type { TimeRead } from './settings.ts';
import { timeReader } from './time-format.ts';

export interface TimeContext {
  /** Zone of the city, for times without an offset where the settings name no zone. */
  zone: string;
  now: number;
}

/** `raw` are the values at the settings' references; `series` names place and field. Null: not a time. */
export type ObservedTime = (raw: readonly unknown[], series: string) => number | null;

/**
 * A wall-clock time that a clock change skips is not a time. One that it repeats is read as `repeated_hour` says: `in_order`
 * the first row of a series is the earlier instant and the second the later, `latest` the later unless that is still
 * to come (for feeds that give only their newest value), `none` not at all. An ISO interval counts from its end, whatever
 * `stamp` says.
 */
export function observedTime(settings: TimeRead, { zone, now }: TimeContext): ObservedTime {
  const { format = 'iso', stamp = 'end', minutes = 0, repeated_hour = 'in_order' } = settings;
  // A value of an interval was observed when the interval was over.
  const delay = stamp === 'start' ? minutes * 60_000 : 0;
  const endTime = (began: number | 'bad_time', lasts_ms = delay): number | null =>
    began === 'bad_time' ? null : began + lasts_ms;
  const plausibleEnd = (time: number, lasts_ms = delay) => endTime(plausibleTime(time), lasts_ms);

  if (format === 'epoch_s') return ([raw]) => endTime(epochTime(raw));
  if (format === 'epoch_ms') return ([raw]) => endTime(epochTime(raw, 'ms'));

  const read = timeReader(format);
  // An unknown zone is reported before the first row.
  offsetAt(now, settings.zone ?? zone);
  const seen = new Map<string, number>();
  // Rows of one time usually stand together. A time that occurs twice is never kept here.
  let last: { text: string; time: number | null } | null = null;
  return (raw, series) => {
    const texts = raw.map((part) => scalarText(part ?? null));
    if (texts.some((text) => text === null || text === '')) return null;
    const text = texts.join(' ');
    if (last?.text === text) return last.time;
    const keep = (time: number | null): number | null => {
      last = { text, time };
      return time;
    };
    const written = format === 'iso' && isInterval(text) ? readInterval(text, read) : read(text);
    if (!written) return keep(null);
    const { lasts_ms = delay } = written;
    if (written.offset !== null) return keep(plausibleEnd(written.wall - written.offset * 60_000, lasts_ms));
    const [first, second] = instantsAt(written.wall, settings.zone ?? zone);
    if (first === undefined) return keep(null);
    if (second === undefined) return keep(plausibleEnd(first, lasts_ms));
    if (repeated_hour === 'none') return null;
    if (repeated_hour === 'latest') return plausibleEnd(second + lasts_ms <= now ? second : first, lasts_ms);
    const key = `${series} ${written.wall}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return plausibleEnd(times === 0 ? first : second, lasts_ms);
  };
}
