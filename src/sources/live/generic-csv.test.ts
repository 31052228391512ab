import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FeedShapeError } from '../core/adapter.ts';
import { assertSound, bodyBytes, parseOrRefuse } from './adapter.fixture.ts';
import { type GenericCsvSettings, genericCsv } from './generic-csv.ts';
import { asLine, recipePoll } from './recipes.fixture.ts';

type Settings = Omit<GenericCsvSettings, 'url'>;
const parse = (body: Uint8Array, settings: Settings) =>
  genericCsv.parse(
    body,
    { id: 'a', settings: { url: 'https://city.example/', ...settings } },
    { url: 'https://city.example/' },
    recipePoll(),
  );
const read = (body: string, settings: Settings) => parse(bodyBytes(body), settings).measurements.map(asLine);

const long: Settings = { place: 'site', time: { at: 'at' }, fields: { n: 'n' } };

describe('a table', () => {
  test('with decimal commas, semicolons and lines before its header', () => {
    const settings: Settings = {
      ...long,
      delimiter: ';',
      skip_lines: 2,
      skip_rows: 1,
      numbers: { decimal: ',', thousands: '.' },
      time: { at: 'at', format: 'DD.MM.YYYY HH:mm' },
    };
    const body = 'Stadt\n\nsite;at;n\n-;-;-\nx;10.06.2026 12:00;1.234,5\n';
    assert.deepEqual(read(body, settings), ['x n 1234.5 2026-06-10T10:00']);
  });

  test('without a header', () => {
    assert.deepEqual(read('x,2026-06-10T10:00Z,3\n', { ...long, header: ['site', 'at', 'n'] }), [
      'x n 3 2026-06-10T10:00',
    ]);
  });

  test('in Latin-1', () => {
    const body = new Uint8Array([...bodyBytes('site,n\nM'), 0xfc, ...bodyBytes('nster,3\n')]);
    const settings: Settings = { place: 'site', fields: { n: 'n' } };
    assert.equal(parse(body, { ...settings, encoding: 'latin1' }).measurements[0]?.place_id, 'Münster');
    assert.throws(() => parse(body, settings), /expected text in utf-8/);
  });

  test('in which a row names its field', () => {
    const settings: Settings = {
      place: 'site',
      field_name: 'what',
      value: 'value',
      fields: { rain_mm: { name: ['rain', 'Regen'] }, temperature_c: { name: 'temp' } },
    };
    assert.deepEqual(read('site,what,value\nx,rain,2\ny,Regen,3\nx,temp,20\nx,wind,4\n', settings), [
      'x rain_mm 2 -',
      'y rain_mm 3 -',
      'x temperature_c 20 -',
    ]);
  });

  test('with a row that is cut off', () => {
    const parsed = parse(bodyBytes('site,at,n\nx,2026-06-10T10:00Z,3\ny,2026-06'), long);
    assert.deepEqual(parsed.measurements.map(asLine), ['x n 3 2026-06-10T10:00']);
    assert.deepEqual(parsed.faults, { bad_value: 1 });
  });

  test('with no rows is empty, not wrong', () => {
    assert.deepEqual(parse(bodyBytes('site,at,n\n'), long), { measurements: [], faults: {}, next: [] });
  });

  test('over the clock changes: a time in the skipped hour is a bad time, the repeated hour is read in order', () => {
    const rows = [
      '2026-03-29 01:45',
      '2026-03-29 02:15',
      '2026-03-29 03:00',
      '2026-10-25 02:00',
      '2026-10-25 02:00',
    ];
    const parsed = parse(bodyBytes(`site,at,n\n${rows.map((at, n) => `x,${at},${n}\n`).join('')}`), long);
    assert.deepEqual(parsed.measurements.map(asLine), [
      'x n 0 2026-03-29T00:45',
      'x n 2 2026-03-29T01:00',
      'x n 3 2026-10-25T00:00',
      'x n 4 2026-10-25T01:00',
    ]);
    assert.deepEqual(parsed.faults, { bad_time: 1 });
  });

  test('with a page after it', () => {
    const paging = { by: 'offset', parameter: '$offset', limit: 1 } as const;
    const parsed = parse(bodyBytes('site,at,n\nx,2026-06-10T10:00Z,3\n'), { ...long, paging });
    assert.equal(parsed.next[0]?.url, 'https://city.example/?%24offset=1');
  });
});

describe('what is not the feed', () => {
  const bodies: [name: string, body: string, settings: Settings][] = [
    ['nothing', '', long],
    ['HTML', '<html><body>', long],
    ['a renamed column', 'site,at,count\nx,y,3\n', long],
    ['no column of a place', 'at,n\nx,y\n', { ...long, wide: { pattern: '^P' }, place: '{column}' }],
    ['an invalid pattern', 'at,n\n', { ...long, wide: { pattern: '(' }, place: '{column}' }],
  ];
  for (const [name, body, settings] of bodies)
    test(name, () => assert.throws(() => parse(bodyBytes(body), settings), FeedShapeError));
});

describe('any body', () => {
  const wide: Settings = { wide: { pattern: '(.*)' }, place: '{column}', fields: { n: '{cell}' } };
  const cell = fc.oneof(
    fc.constantFrom('x', '3', '2026-06-10 10:00', '', '"', 'NA', '-1'),
    fc.string({ maxLength: 5 }),
  );
  const text = fc
    .array(fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(',')))
    .map((lines) => lines.join('\n'));

  test('any text and any bytes give sound measurements or a FeedShapeError', () => {
    const body = fc.oneof(
      text.map((rows) => bodyBytes(`site,at,n\n${rows}`)),
      text.map(bodyBytes),
      fc.uint8Array(),
    );
    fc.assert(
      fc.property(body, fc.constantFrom(long, wide), (sent, settings) => {
        const parsed = parseOrRefuse(() => parse(sent, settings));
        if (parsed) assertSound(parsed);
      }),
      { numRuns: 300 },
    );
  });
});
