import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';

const double = (bits: string) => Buffer.from(bits, 'hex').readDoubleBE();

// RFC 8785, appendix B: the bits of a double and its text. https://www.rfc-editor.org/rfc/rfc8785#appendix-B
const numbers: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

test('numbers: the table of RFC 8785, appendix B', () => {
  for (const [bits, text] of numbers) assert.equal(canonicalJson(double(bits)), text, bits);
  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
    assert.throws(() => canonicalJson(double(bits)), { code: 'not_json' }, bits);
  }
});

test('the sample of RFC 8785, sections 3.2.2 to 3.2.4, to the byte', () => {
  const sample = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  const bytes = `
    7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65
    72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30 2c 34 2e 35 2c 30 2e 30
    30 32 2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c
    22 5c 5c 5c 5c 5c 22 2f 22 7d`;
  assert.equal(Buffer.from(canonicalJson(JSON.parse(sample))).toString('hex'), bytes.replaceAll(/\s/g, ''));
});

test('keys are sorted by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
  const unsorted = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const keys = Object.keys(JSON.parse(canonicalJson(unsorted))).filter((key) => key !== '1');
  assert.deepEqual(keys, ['\r', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']);
  assert.ok(canonicalJson(unsorted).startsWith(String.raw`{"\r":"Carriage Return","1":"One",`));
});

test('values that JSON cannot represent are refused, not dropped', () => {
  const refused: unknown[] = [
    undefined,
    { a: undefined },
    [undefined],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    [1, , 2],
    () => 1,
    Symbol('s'),
    1n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(0),
    new Map([[1, 2]]),
    Buffer.from('a'),
    '\ud800',
    { '\udc00': 1 },
    '\udc00\ud800',
  ];
  for (const value of refused) assert.throws(() => canonicalJson(value), { code: 'not_json' });
});

test('nesting depth is limited', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  assert.equal(canonicalJson(nested(64)).length, 128);
  assert.throws(() => canonicalJson(nested(65)), { code: 'too_deep' });
  assert.throws(() => canonicalJson(nested(5000)), { code: 'too_deep' });
});

test('keys such as __proto__ are ordinary keys', () => {
  const value = JSON.parse('{"toJSON":1,"__proto__":{"a":1},"constructor":2}');
  assert.equal(canonicalJson(value), '{"__proto__":{"a":1},"constructor":2,"toJSON":1}');
});

/** A reference implementation: sort every object, then use JSON.stringify. */
const plainly = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, plainly(member)] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};
const plainText = (value: unknown): string => {
  if (value instanceof Map) {
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${plainText(member)}`).join(',')}}`;
  }
  return Array.isArray(value) ? `[${value.map(plainText).join(',')}]` : JSON.stringify(value);
};

test('agrees with a simple reference implementation, and is unchanged by parsing and serialising again', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }), (value) => {
      const text = canonicalJson(value);
      assert.equal(text, plainText(plainly(value)));
      assert.equal(canonicalJson(JSON.parse(text)), text);
    }),
    { numRuns: 500 },
  );
});

test('the insertion order of members does not matter, even in a large object', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.integer(), { maxKeys: 80 }), (object) => {
      const backwards = Object.fromEntries(Object.entries(object).reverse());
      assert.equal(canonicalJson(backwards), canonicalJson(object));
    }),
  );
});
