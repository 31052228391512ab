// Local times as people and forms write them, without a zone: '2026-11-11' or '2026-11-11T09:30'.
import type { Zone } from './zone.ts';

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/;

/** The instant that the text means in the zone; a date is its first instant. Null for a date or time that does not exist. */
export function atLocalText(text: string, zone: Zone): number | null {
  const [, date, clock = '00:00'] = LOCAL.exec(text) ?? [];
  if (date === undefined || !exists(date, clock)) return null;
  return zone.atLocal(date, clock);
}

/** The same as the end of a span that does not include it: a date is the first instant of the next day. */
export function endOfLocalText(text: string, zone: Zone): number | null {
  const at = atLocalText(text, zone);
  return at === null || text.length > 'YYYY-MM-DD'.length ? at : zone.startOfDay(at, 1);
}

/** Date.parse takes 30 February as 2 March, and 24:00 as the next day. */
function exists(date: string, clock: string): boolean {
  const at = Date.parse(`${date}T${clock}:00Z`);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(`${date}T${clock}`);
}
