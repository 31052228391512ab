import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FeedShapeError } from '../core/adapter.ts';
import { assertSound, bodyBytes, parseOrRefuse } from './adapter.fixture.ts';
import { type GenericJsonSettings, genericJson } from './generic-json.ts';
import { asLine, recipePoll } from './recipes.fixture.ts';

const jsonFeed = (settings: Omit<GenericJsonSettings, 'url'>) => ({
  id: 'a',
  settings: { url: 'https://city.example/', ...settings },
});
const parse = (body: Uint8Array, settings: Omit<GenericJsonSettings, 'url'>) =>
  genericJson.parse(body, jsonFeed(settings), { url: 'https://city.example/' }, recipePoll());

const counts = { place: 'p', time: { at: 't' }, fields: { n: 'n' } };
const row = (p: string, n: unknown, t = '2026-06-10T10:00:00Z') => ({ p, n, t });

describe('what is not the feed', () => {
  const bodies: [name: string, body: Uint8Array][] = [
    ['nothing', bodyBytes('')],
    ['HTML', bodyBytes('<!DOCTYPE html><html></html>')],
    ['half a body', bodyBytes('[{"p": 1')],
    ['another character set', new Uint8Array([0x5b, 0x22, 0xfc, 0x22, 0x5d])],
    ['a number', bodyBytes('3')],
    ['null', bodyBytes('null')],
  ];
  for (const [name, body] of bodies)
    test(name, () => assert.throws(() => parse(body, counts), FeedShapeError));

  test('a list that moved', () => {
    assert.throws(
      () => parse(bodyBytes({ data: [] }), { ...counts, rows: '/results' }),
      /expected a list .* "\/results"/,
    );
  });

  test('a byte order mark is no fault', () => {
    assert.deepEqual(parse(bodyBytes('\uFEFF[]'), counts).measurements, []);
  });
});

describe('rows of one place and time', () => {
  const channels = [row('x', 3), row('x', '4'), row('y', 5), row('y', null)];
  const cases: [combine: GenericJsonSettings['combine'], expected: number[], faults: object][] = [
    [undefined, [3, 5], { duplicate: 1, no_data: 1 }],
    ['sum', [7], { no_data: 1 }],
    ['mean', [3.5, 5], { no_data: 1 }],
    ['most', [4, 5], { no_data: 1 }],
    ['least', [3, 5], { no_data: 1 }],
  ];
  for (const [combine, expected, faults] of cases)
    test(combine ?? 'without a rule', () => {
      const parsed = parse(bodyBytes(channels), { ...counts, ...(combine && { combine }) });
      assert.deepEqual(
        parsed.measurements.map(({ value }) => value),
        expected,
      );
      assert.deepEqual(parsed.faults, faults);
    });

  test('channels in the repeated hour are added up, not read as its two passes', () => {
    const sent = [row('x', 3, '2026-10-25 02:00'), row('x', 4, '2026-10-25 02:00')];
    const { measurements } = parse(bodyBytes(sent), { ...counts, combine: 'sum' });
    assert.deepEqual(measurements.map(asLine), ['x n 7 2026-10-25T00:00']);
  });

  test('a sum that no number can hold is a bad value', () => {
    const parsed = parse(bodyBytes([row('x', 1e308), row('x', 1e308)]), { ...counts, combine: 'sum' });
    assert.deepEqual([parsed.measurements, parsed.faults], [[], { bad_value: 1 }]);
  });
});

describe('a row', () => {
  test('without a place, or with an odd one, is left out', () => {
    const parsed = parse(bodyBytes([row('', 1), row('a\u0000b', 1), { n: 1, t: 1 }]), counts);
    assert.deepEqual([parsed.measurements, parsed.faults], [[], { bad_value: 3 }]);
  });

  test('of a feed without times counts from its receipt', () => {
    const [measurement] = parse(bodyBytes([row('x', 1)]), { place: 'p', fields: { n: 'n' } }).measurements;
    assert.equal(measurement?.observed_at, null);
  });

  test('that is older than wanted is passed over', () => {
    const old = row('x', 1, '2026-06-08T10:00:00Z');
    const parsed = parse(bodyBytes([old, row('x', 2)]), { ...counts, since_hours: 24 });
    assert.deepEqual(
      parsed.measurements.map(({ value }) => value),
      [2],
    );
    assert.deepEqual(parsed.faults, {});
  });

  test('factor and offset come after the unit', () => {
    const fields = { n: { at: 'n', unit: 'percent', to: 'share', factor: -1, offset: 1 } };
    assert.equal(parse(bodyBytes([row('x', '25')]), { ...counts, fields }).measurements[0]?.value, 0.75);
  });
});

describe('any settings and any body', () => {
  const reference = fc.constantFrom(
    '',
    '/p',
    'n',
    't',
    '1/0',
    '0#',
    '$/a',
    '/x/{index}',
    '{id}',
    '/__proto__',
    '~',
    '9/9',
  );
  const settings = fc.record(
    {
      rows: fc.constantFrom('', '/*', '/a', '/a/*/b', '/[]', '/a/[]', 'bad'),
      place: fc.oneof(reference, fc.constant({ constant: 'x' })),
      lat: reference,
      lng: reference,
      coordinates: reference,
      order: fc.constantFrom('lng,lat' as const, 'lat,lng' as const),
      within_km: fc.constant(10),
      time: fc.record(
        {
          at: fc.oneof(reference, fc.array(reference, { minLength: 1, maxLength: 2 })),
          format: fc.constantFrom('iso', 'epoch_s', 'epoch_ms', 'DD.MM.YYYY', 'H'),
          zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Nowhere'),
        },
        { requiredKeys: ['at'] },
      ),
      field_name: reference,
      value: reference,
      fields: fc.dictionary(
        fc.constantFrom('n', 'm'),
        fc.oneof(
          reference,
          fc.record(
            {
              at: reference,
              unit: fc.constantFrom('F', 'nonsense'),
              to: fc.constantFrom('C', 'mm'),
              factor: fc.double(),
              no_data: fc.constant([0]),
            },
            { requiredKeys: [] },
          ),
        ),
        { minKeys: 1 },
      ),
      filter: fc.array(fc.record({ at: reference }), { maxLength: 1 }),
      combine: fc.constantFrom('sum' as const, 'mean' as const),
      errors: fc.array(fc.record({ at: reference }), { maxLength: 1 }),
      paging: fc.constantFrom(
        { by: 'link' as const, next: '/p' },
        { by: 'offset' as const, parameter: 'o', limit: 1, total: '/n' },
      ),
    },
    { requiredKeys: ['place', 'fields'] },
  );
  const value = fc.oneof(
    fc.constantFrom('x', '2026-06-10 10:00', 1_781_085_600, -999, null, 51.9, '7.6'),
    fc.jsonValue(),
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.record({ p: value, n: value, t: value }, { requiredKeys: [] })),
    fc.record({ a: fc.array(fc.record({ b: value, n: value })) }),
  );

  test('give sound measurements or a FeedShapeError', () => {
    fc.assert(
      fc.property(settings, body, (read, json) => {
        const parsed = parseOrRefuse(() => parse(bodyBytes(JSON.stringify(json)), read as never));
        if (parsed) assertSound(parsed);
      }),
      { numRuns: 500 },
    );
  });

  test('any bytes give sound measurements or a FeedShapeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (sent) => {
        const parsed = parseOrRefuse(() => parse(sent, counts));
        if (parsed) assertSound(parsed);
      }),
    );
  });
});

describe('what stands in the place of a number', () => {
  const free = { measures: 'crowd', what: 'bikes', points: 'down', fresh_minutes: 30 } as const;
  const parseWith = (body: unknown, changes: object, use: object = {}) =>
    genericJson.parse(
      bodyBytes(body),
      { ...jsonFeed({ ...counts, ...changes }), fields: { n: { ...free, ...use } } },
      { url: 'https://city.example/' },
      recipePoll(),
    );
  const said = (parsed: ReturnType<typeof parseWith>) =>
    parsed.measurements.map(({ place_id, field, value, state }) => `${place_id} ${field} ${state ?? value}`);

  test('words that the field explains; others are bad values', () => {
    const parsed = parseWith(
      [row('x', 'bes'), row('y', 'odd'), row('z', -1), row('w', 4)],
      {},
      {
        words: { bes: 'full', '-1': 'closed' },
      },
    );
    assert.deepEqual(said(parsed), ['x n full', 'z n closed', 'w n 4']);
    assert.deepEqual(parsed.faults, { bad_value: 1 });
  });

  test('another field decides, and is itself no value', () => {
    const rows = [{ ...row('x', 0), open: false }, { ...row('y', 0), open: true }, { ...row('z', 3) }];
    const parsed = parseWith(
      rows,
      { fields: { n: 'n', open: 'open' } },
      { status: { field: 'open', closed: [false] } },
    );
    assert.deepEqual(said(parsed), ['x n 0', 'x n closed', 'y n 0', 'z n 3']);
    assert.deepEqual(parsed.faults, {});
  });

  test('conditions on the row; a closed place is closed, whatever else holds', () => {
    const rows = [
      { ...row('x', 0), s: 'shut' },
      { ...row('y', 0), s: 'full' },
      { ...row('z', 9), s: 'ok' },
    ];
    const when = (...is: string[]) => [{ at: 's', is }];
    const parsed = parseWith(rows, {
      closed_when: when('shut'),
      full_when: when('full', 'shut'),
      no_data_when: when('shut'),
    });
    assert.deepEqual(said(parsed), ['x n closed', 'y n full', 'z n 9']);
    assert.deepEqual(parsed.faults, {});
  });

  test('a state without a time that can be read is a bad time', () => {
    const parsed = parseWith([row('x', 'bes', 'never')], {}, { words: { bes: 'full' } });
    assert.deepEqual([said(parsed), parsed.faults], [[], { bad_time: 1 }]);
  });
});
