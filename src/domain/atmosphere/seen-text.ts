/**
 * What a text says of the readings that it rests on: whether they were simulated or are replayed, and when they were
 * read. In the service's voice, on lines of its own, so that what the text itself says stays as it is.
 */
import type { Substrate } from '../signals/signal.ts';
import { daysText, dayText } from '../text/day-text.ts';
import { durationText } from '../text/duration.ts';
import { MINUTE } from '../time/slot.ts';
import type { Span } from '../time/window.ts';
import type { Zone } from '../time/zone.ts';
import { CURRENT_FOR } from './reading.ts';

interface Data {
  substrate: Substrate;
  zone: Zone;
}

/**
 * The text of an answer about the present. `at` is the slot of the newest reading: a text that tells that time itself is
 * not given it again. Once the reading is no longer current its age comes first: all else is from then.
 */
export function withNewestReading(
  text: string,
  { at, now, substrate, zone }: Data & { at: number; now: number },
): string {
  const [clock, day] = [zone.clockWithZone(at), zone.localDate(at)];
  const isToday = day === zone.localDate(now);
  const when = isToday ? clock : `${clock} on ${dayText(day)}`;
  const isOld = now - at >= CURRENT_FOR;
  const isTold = isOld || (isToday && text.includes(clock));
  return lines(
    isOld ? `the newest reading is of ${when}, ${durationText((now - at) / MINUTE)} ago.` : null,
    text,
    sentence(originText(substrate, dayText(day)), isTold ? null : `newest reading ${when}`),
  );
}

/** The text of an answer about whole days of the past. */
export function withReadDays(text: string, { from, to }: Span, { substrate, zone }: Data): string {
  const days = daysText(zone.localDate(from), zone.localDate(to - 1));
  const origin = originText(substrate, days);
  return lines(
    text,
    substrate === 'replay'
      ? sentence(origin)
      : sentence([origin, `readings of ${days}`].filter(Boolean).join(' ')),
  );
}

/** Null for measured data. */
const originText = (substrate: Substrate, days: string): string | null =>
  ({ simulated: 'simulated', replay: `replay of ${days}`, live: null })[substrate];

function sentence(...clauses: (string | null)[]): string | null {
  const said = clauses.filter((clause) => clause !== null);
  return said.length ? `${said.join(', ')}.` : null;
}

const lines = (...given: (string | null)[]): string => given.filter((line) => line !== null).join('\n');
