import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { Compile } from 'typebox/schema';
import { checkArguments, fromQuery, isTooDeep } from './arguments.ts';
import { monthIso, weekIso } from './fields.ts';

const item = Type.Object(
  { pocket: Type.String({ minLength: 1 }), share: Type.Number({ minimum: 0, maximum: 1 }) },
  { additionalProperties: false },
);
/** One argument of each kind that a tool may have. */
const input = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 80 }),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
    hours: Type.Number({ minimum: 0.25, maximum: 24, default: 4 }),
    since: Type.Enum(['1h', '7d', 'all'], { default: '7d' }),
    tier: Type.Optional(Type.Union([Type.Literal('atmosphere'), Type.Literal('experience')])),
    revealed_only: Type.Boolean({ default: false }),
    month_iso: Type.Optional(monthIso),
    week_iso: Type.Optional(weekIso),
    code: Type.Optional(Type.String({ pattern: '^[a-z]+$', description: 'lowercase letters' })),
    score: Type.Optional(Type.Number()),
    context: Type.Optional(
      Type.Object({
        id: Type.Optional(Type.String()),
        fatigue: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        inner: Type.Optional(Type.Object({ on: Type.Optional(Type.Boolean()) })),
      }),
    ),
    items: Type.Optional(Type.Array(item, { minItems: 1, maxItems: 3 })),
  },
  { additionalProperties: false },
);
const oracle = Compile(input);
const defaults = { limit: 50, hours: 4, since: '7d', revealed_only: false };

/** The error message, or the checked input. */
const outcome = (given: Record<string, unknown>) => {
  const read = checkArguments(input, given);
  return read.ok ? read.input : read.message;
};
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const one = { pocket: 'dempsey', share: 0.5 };

const known = `(known: ${Object.keys(input.properties).join(', ')})`;

describe('messages', () => {
  const table: [given: Record<string, unknown>, message: string][] = [
    // First the missing, then the unknown, then the ill-typed.
    [{}, 'query is required'],
    [{ query: '' }, 'query is required'],
    [{ query: null }, 'query is required'],
    [{ query: ' \t\n' }, 'query is required'],
    [{ query: '\u200b\u2800\u202e' }, 'query is required'],
    [
      { limit: 'x', unheard: 1 },
      `query is required; unknown argument: unheard ${known}; limit must be an integer`,
    ],
    [{ query: 'a', limit: 'x', unheard: 1 }, `unknown argument: unheard ${known}; limit must be an integer`],
    [{ query: 7, since: 'x' }, 'query must be a string; since must be one of 1h, 7d, all'],
    [json('{"query": "a", "__proto__": {"limit": 3}}'), `unknown argument: __proto__ ${known}`],
    [json('{"__proto__": {"query": "a"}}'), `query is required; unknown argument: __proto__ ${known}`],
    [{ query: 'a', constructor: 1 }, `unknown argument: constructor ${known}`],
    [{ query: 'a', toString: 1 }, `unknown argument: toString ${known}`],
    // Several at once, and no more than can be mended at once.
    [{ query: 'a', b: 1, c: 1 }, `unknown argument: b ${known}; unknown argument: c`],
    [
      { query: 'a', limit: 0, hours: 0, since: 0, tier: 0, revealed_only: 0, code: 0 },
      'limit must be 1-500; hours must be 0.25-24; since must be one of 1h, 7d, all; tier must be one of atmosphere, experience; revealed_only must be a boolean; and more',
    ],
    [
      { query: 'a', items: [{ share: 2 }, { pocket: 7, share: 0 }] },
      'items[0].pocket is required; items[0].share must be 0-1; items[1].pocket must be a string',
    ],
    [{ query: 'a', ['\u202eevil\n'.repeat(21)]: 1 }, `unknown argument: ${'evil'.repeat(19)}evi… ${known}`],
    // Strings.
    [{ query: 'x'.repeat(81) }, 'query too long (max 80 chars)'],
    [{ query: '🌧'.repeat(81) }, 'query too long (max 80 chars)'],
    [{ query: 'a\0b' }, 'query must not hold a NUL character'],
    [{ query: ['a'] }, 'query must be a string'],
    ...['2026', '2026-13', '2026-00', '26-10', '2026-10-01', 'october'].map(
      (month_iso): [Record<string, unknown>, string] => [
        { query: 'a', month_iso },
        'month_iso must be a month such as 2026-03, from 01 to 12',
      ],
    ),
    ...['2026', '2026-W99', '2026-W00', '2025-W53', '2026-W5', 'W45', '2026-w45'].map(
      (week_iso): [Record<string, unknown>, string] => [
        { query: 'a', week_iso },
        'week_iso must be a week such as 2026-W07, from W01 to W52 or W53',
      ],
    ),
    [{ query: 'a', code: 'AB' }, 'code must be written as its description says'],
    // Numbers.
    [{ query: 'a', limit: 0 }, 'limit must be 1-500'],
    [{ query: 'a', limit: 501 }, 'limit must be 1-500'],
    [{ query: 'a', limit: 1e300 }, 'limit must be 1-500'],
    [{ query: 'a', limit: 1.5 }, 'limit must be an integer'],
    [{ query: 'a', limit: '5' }, 'limit must be an integer'],
    [{ query: 'a', limit: null }, 'limit must be an integer'],
    [{ query: 'a', limit: true }, 'limit must be an integer'],
    [{ query: 'a', hours: 0.2 }, 'hours must be 0.25-24'],
    [{ query: 'a', hours: '4' }, 'hours must be a number'],
    [{ query: 'a', score: Number.NaN }, 'score must be a number'],
    [{ query: 'a', score: Number.POSITIVE_INFINITY }, 'score must be a number'],
    // One of a set; flags.
    [{ query: 'a', since: '2d' }, 'since must be one of 1h, 7d, all'],
    [{ query: 'a', since: '' }, 'since must be one of 1h, 7d, all'],
    [{ query: 'a', since: ['7d'] }, 'since must be one of 1h, 7d, all'],
    [{ query: 'a', since: null }, 'since must be one of 1h, 7d, all'],
    [{ query: 'a', tier: 'both' }, 'tier must be one of atmosphere, experience'],
    [{ query: 'a', revealed_only: 'true' }, 'revealed_only must be a boolean'],
    [{ query: 'a', revealed_only: 1 }, 'revealed_only must be a boolean'],
    // Objects and arrays, also as JSON text.
    [{ query: 'a', context: [] }, 'context must be an object'],
    [{ query: 'a', context: 'tired' }, 'context must be an object'],
    [{ query: 'a', context: '[1]' }, 'context must be an object'],
    [{ query: 'a', context: `{"deep":${nested(200_000)}}` }, 'context must be an object'],
    [{ query: 'a', context: { fatigue: 2 } }, 'context.fatigue must be 0-1'],
    [{ query: 'a', context: '{"fatigue": "2"}' }, 'context.fatigue must be a number'],
    [{ query: 'a', context: { inner: '{"on": true}' } }, 'context.inner must be an object'],
    [{ query: 'a', items: {} }, 'items must be an array'],
    [{ query: 'a', items: [] }, 'items must have 1-3 items'],
    [{ query: 'a', items: '[]' }, 'items must have 1-3 items'],
    [{ query: 'a', items: [one, one, one, one] }, 'items must have 1-3 items'],
    [{ query: 'a', items: [one, 7] }, 'items[1] must be an object'],
    [{ query: 'a', items: [one, JSON.stringify(one)] }, 'items[1] must be an object'],
    [{ query: 'a', items: [one, { share: 0.5 }] }, 'items[1].pocket is required'],
    [{ query: 'a', items: [{ ...one, share: 1.1 }] }, 'items[0].share must be 0-1'],
    [
      { query: 'a', items: [{ ...one, extra: 1 }] },
      'unknown argument: items[0].extra (known: pocket, share)',
    ],
  ];
  for (const [given, message] of table) {
    test(`${JSON.stringify(given).slice(0, 80)} → ${message}`, () => assert.equal(outcome(given), message));
  }
});

test('a time has its zone', () => {
  const at = Type.Object({ at: Type.String({ format: 'date-time' }) }, { additionalProperties: false });
  const accepted = (value: unknown) => checkArguments(at, { at: value }).ok;
  for (const time of [
    '2026-11-11T04:00Z',
    '2026-11-11T04:00:00Z',
    '2026-11-11T04:00:00.123456Z',
    '2026-11-11T12:00:00+08:00',
  ])
    assert.ok(accepted(time), time);
  for (const time of [
    'yesterday',
    '1794369600000',
    '2026-11-11',
    '2026-11-11T04:00:00',
    '2026-11-11 04:00:00Z',
    '2026-13-11T04:00:00Z',
    '2026-11-11T25:00:00Z',
    ' 2026-11-11T04:00:00Z',
  ])
    assert.ok(!accepted(time), time);
  assert.deepEqual(checkArguments(at, { at: 'noon' }), {
    ok: false,
    message: 'at must be an ISO 8601 time with its zone, such as 2026-11-11T04:00:00Z',
  });
});

describe('what is accepted', () => {
  test('defaults are filled in, in the order of the schema', () => {
    const expected = { query: 'a', ...defaults };
    assert.deepEqual(outcome({ query: 'a' }), expected);
    assert.equal(
      JSON.stringify(outcome({ limit: 50, query: 'a' })),
      JSON.stringify(expected),
      'the same question has the same key',
    );
  });

  test('bounds belong to the range, and length counts characters', () => {
    for (const limit of [1, 500])
      assert.deepEqual(outcome({ query: 'a', limit }), { query: 'a', ...defaults, limit });
    const query = '🌧'.repeat(80);
    assert.deepEqual(outcome({ query }), { query, ...defaults });
  });

  test('an object or an array may come as JSON text, and others may not', () => {
    const context = { fatigue: 0.5, other: [1] };
    const items = [one];
    const asText = outcome({ query: '{}', context: JSON.stringify(context), items: JSON.stringify(items) });
    assert.deepEqual(asText, { query: '{}', ...defaults, context, items });
  });

  test('a caller who sends nothing but faults is answered soon', () => {
    const given = {
      query: 'a',
      ...Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`x${n}`, n])),
    };
    const message = String(outcome(given));
    assert.ok(message.startsWith(`unknown argument: x0 ${known}; `) && message.endsWith('; and more'));
    assert.ok(message.length < 1000);
  });

  test('where an operation takes no arguments, that is said', () => {
    const none = Type.Object({}, { additionalProperties: false });
    assert.deepEqual(checkArguments(none, { a: 1 }), {
      ok: false,
      message: 'unknown argument: a (it takes none)',
    });
  });

  test('messages use the argument names of the caller', () => {
    const named = checkArguments(input, {}, (name) => (name === 'query' ? 'q' : name));
    assert.deepEqual(named, { ok: false, message: 'q is required' });
  });
});

const nearly = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', null, '7d', 'all', 'atmosphere', '2026-10', 1, 500, 0, 0.25, true),
  fc.double({ noNaN: false }),
  fc.array(fc.nat(0x10ffff), { maxLength: 90 }).map((codes) => String.fromCodePoint(...codes)),
  fc.json(),
  fc.record(
    { id: fc.string(), fatigue: fc.double({ min: -0.1, max: 1.1, noNaN: true }) },
    { requiredKeys: [] },
  ),
  fc.array(fc.record({ pocket: fc.string(), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 4,
  }),
);
const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(input.properties)) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty') },
  { weight: 1, arbitrary: fc.string() },
);
const anyArguments = fc
  .tuple(
    fc.array(fc.tuple(names, nearly), { maxLength: 6 }),
    fc.option(fc.string({ minLength: 1, maxLength: 85 })),
  )
  .map(([entries, query]) => Object.fromEntries(query === null ? entries : [...entries, ['query', query]]));

describe('for any arguments', () => {
  test('what is accepted satisfies the schema', () => {
    fc.assert(
      fc.property(anyArguments, (given) => {
        const read = checkArguments(input, given);
        if (!read.ok) return assert.match(read.message, /^[^\n]+$/);
        assert.ok(oracle.Check(read.input), JSON.stringify(read.input));
        assert.equal(Object.getPrototypeOf(read.input), Object.prototype);
      }),
      { numRuns: 1000 },
    );
  });

  test('what satisfies the schema is accepted unchanged, except text with a NUL or with nothing to read', () => {
    fc.assert(
      fc.property(anyArguments, (given) => {
        const whole = { ...defaults, ...given };
        if (!oracle.Check(whole) || JSON.stringify(whole).includes('\\u0000')) return;
        const { query, ...rest } = whole as Record<string, unknown>;
        if (!/[^\p{C}\p{Z}\p{M}\s\u2800]/u.test(String(query))) return;
        const expected = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
        assert.deepEqual(outcome(given), { query, ...expected });
      }),
      { numRuns: 1000 },
    );
  });

  test('nothing reaches the prototype of objects', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        outcome(json(`{"query": "a", "context": {"__proto__": ${JSON.stringify(value)}}, "__proto__": 1}`));
        outcome({ query: 'a', context: `{"__proto__": ${JSON.stringify(value)}}` });
        assert.deepEqual(Object.keys(Object.prototype), []);
      }),
    );
  });
});

describe('query strings', () => {
  const table: [query: Record<string, unknown>, typed: Record<string, unknown>][] = [
    [
      { limit: '5', hours: '0.5', revealed_only: '1' },
      { limit: 5, hours: 0.5, revealed_only: true },
    ],
    [
      { revealed_only: 'false', hours: '.5' },
      { revealed_only: false, hours: 0.5 },
    ],
    [{ limit: '-3' }, { limit: -3 }],
    [
      { limit: '1e3', hours: '0x10', revealed_only: 'yes' },
      { limit: '1e3', hours: '0x10', revealed_only: 'yes' },
    ],
    [{ limit: '', query: '' }, {}],
    [{ query: '5' }, { query: '5' }],
    [{ limit: ['1', '2'] }, { limit: ['1', '2'] }],
    [{ items: 'a,,b' }, { items: ['a', 'b'] }],
    [{ items: ['a', 'b'] }, { items: ['a', 'b'] }],
    [{ items: '[{"pocket":"a","share":1}]' }, { items: '[{"pocket":"a","share":1}]' }],
    [{ unheard: 'x', constructor: 'x' }, {}],
  ];
  for (const [query, typed] of table) {
    test(JSON.stringify(query), () => assert.deepEqual(fromQuery(input, query), typed));
  }
});

test('the depth of a value is measured only up to the limit', () => {
  assert.equal(isTooDeep(JSON.parse(nested(32))), false);
  assert.equal(isTooDeep(JSON.parse(nested(33))), true);
  assert.equal(isTooDeep(JSON.parse(nested(200_000))), true);
  for (const flat of [null, 1, 'x', {}, { a: [1] }]) assert.equal(isTooDeep(flat), false);
});
