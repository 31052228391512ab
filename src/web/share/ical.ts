// iCalendar (RFC 5545): the calm windows of a pocket as a calendar that clients subscribe to. Times are UTC, so no
// VTIMEZONE is needed; the calendar client shows them in the reader's zone.

import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { percentText } from '../../domain/text/figures.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import type { getCalmCalendar } from '../../operations/share/get-calm-calendar.ts';
import { dataLabel, dataWords } from '../parts/data-label.ts';
import { dataName, type Site } from '../parts/page.ts';

export type CalmCalendar = AnswerOf<typeof getCalmCalendar>;
type Window = CalmCalendar['windows'][number];

/** Octets of a line, without the line break. */
const MAX_LINE = 75;

/** A line as RFC 5545 section 3.1 folds it: at most 75 octets, never within a character, the rest after a space. */
export function foldLine(line: string): string {
  const lines: string[] = [];
  let [current, octets] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE) {
      lines.push(current);
      // The space that marks a continuation counts as one octet.
      [current, octets] = [' ', 1];
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

/** A value of type TEXT (section 3.3.11). Control characters other than a line feed are not allowed in it. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');

/** '20261111T040000Z' */
const utc = (timestamp: string): string => `${timestamp.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

export function calmIcal(site: Site, { pocket_id, as_of, windows }: CalmCalendar): string {
  const pocket = findPocket(site.registry, pocket_id);
  const name = pocket?.name ?? pocket_id;
  const url = `${site.baseUrl}/pocket/${pocket_id}`;
  const host = new URL(site.baseUrl).hostname;
  const date = site.zone.localDate(Date.parse(as_of));
  const origin = dataWords(site, date);
  const dataNote = `${dataLabel(site, date) ?? dataName(site.substrate)}.`;
  const title = `Calm windows: ${name}${origin === null ? '' : ` (${origin})`}`;
  const about = `When ${name} is likely calm (sealed forecasts, about three hours ahead) or usually calm (the same hour of past weeks, not a forecast). ${dataNote} CC BY-NC-ND 4.0, with attribution: ${url}`;
  const place = [
    `LOCATION:${escapeText(`${name}, ${site.registry.city.name}`)}`,
    ...(pocket ? [`GEO:${pocket.lat};${pocket.lng}`] : []),
    `URL:${url}`,
  ];
  const events = windows.map((window) => {
    const { starts_at, ends_at } = window;
    const { summary, description, category, stamp } = windowWords(window, site, name, as_of, origin);
    return [
      'BEGIN:VEVENT',
      `UID:${windowUid(window, pocket_id)}@${host}`,
      `DTSTAMP:${utc(stamp)}`,
      `DTSTART:${utc(starts_at)}`,
      `DTEND:${utc(ends_at)}`,
      `SUMMARY:${escapeText(summary)}`,
      `DESCRIPTION:${escapeText(`${description} ${dataNote}`)}`,
      `CATEGORIES:${escapeText(category)}`,
      ...place,
      // Nobody is busy because a place is calm.
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ];
  });
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//pocketwatch//calm windows//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(title)}`,
    `X-WR-CALNAME:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(about)}`,
    `SOURCE;VALUE=URI:${url}/calm.ics`,
    `LAST-MODIFIED:${utc(as_of)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...(events.length ? events.flat() : emptyNote(pocket_id, host, name, as_of)),
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}

/** A calendar must have a component (section 3.6): without windows it is this note, which shows as no event. */
const emptyNote = (pocket_id: string, host: string, name: string, as_of: string): string[] => [
  'BEGIN:VJOURNAL',
  `UID:none-${pocket_id}@${host}`,
  `DTSTAMP:${utc(as_of)}`,
  `SUMMARY:${escapeText(`${name}: no calm window is known in the next seven days`)}`,
  'END:VJOURNAL',
];

/** The end of a usual window and the start of a forecast one stay the same from one refresh to the next. */
const windowUid = ({ basis, starts_at, ends_at }: Window, pocket_id: string): string =>
  basis === 'forecast' ? `forecast-${pocket_id}-${utc(starts_at)}` : `usual-${pocket_id}-${utc(ends_at)}`;

function windowWords(
  { basis, ends_at, at_least, calm_probability, held_share }: Window,
  { zone }: Site,
  name: string,
  as_of: string,
  origin: string | null,
) {
  const clock = (at: string) => zone.clockWithZone(Date.parse(at));
  const held = `${percentText(held_share)} of such windows held on other days.`;
  if (basis === 'usual')
    return {
      summary: `Usually calm: ${name}${origin === null ? '' : ` (${origin})`}`,
      description: `Not a forecast: ${percentText(calm_probability)} of the readings at this hour of the week were calm. ${held}`,
      category: 'Usually calm',
      stamp: as_of,
    };
  return {
    summary: `${sentenceCase(chanceText(calm_probability))}: ${name} (forecast${origin === null ? '' : `, ${origin}`})`,
    description: `From forecasts sealed at ${clock(as_of)}, ${at_least ? 'at least ' : ''}until ${clock(ends_at)}. ${held}`,
    category: 'Calm forecast',
    stamp: as_of,
  };
}
