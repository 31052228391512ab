import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Line, readLines } from './lines.ts';

async function split(chunks: (string | Buffer)[], maxBytes = 10): Promise<Line[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: Line[] = [];
  for await (const line of readLines(stream(), maxBytes)) lines.push(line);
  return lines;
}
const lines = (...texts: string[]): Line[] => texts.map((text) => ({ text }));
const tooLong: Line = { tooLong: true };

const table: [name: string, chunks: string[], expected: Line[]][] = [
  ['nothing', [], []],
  ['a line for each newline', ['a\nb\n'], lines('a', 'b')],
  ['a last line without a newline', ['a\nb'], lines('a', 'b')],
  ['a line over several chunks', ['a', 'b', 'c\nd', '\n'], lines('abc', 'd')],
  ['no line for blank ones', ['\n \n\r\na\n\n'], lines('a')],
  ['a line of the greatest length', [`${'x'.repeat(10)}\n`], lines('x'.repeat(10))],
  ['a line that is too long, and the one after it', [`${'x'.repeat(11)}\na\n`], [tooLong, ...lines('a')]],
  ['a line that is too long in many chunks', ['xxxxxx', 'xxxxxx', 'xxxxxx', '\na'], [tooLong, ...lines('a')]],
  ['a last line that is too long', ['x'.repeat(11)], [tooLong]],
];
for (const [name, chunks, expected] of table)
  test(name, async () => assert.deepEqual(await split(chunks), expected));

test('a character that is split between two chunks', async () => {
  const bytes = Buffer.from('é\n');
  assert.deepEqual(await split([bytes.subarray(0, 1), bytes.subarray(1)]), lines('é'));
});

test('lines do not depend on where chunks end', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(7), async (texts, size) => {
      const bytes = Buffer.from(texts.join('\n'));
      const chunks = Array.from({ length: Math.ceil(bytes.length / (size + 1)) }, (_, at) =>
        bytes.subarray(at * (size + 1), (at + 1) * (size + 1)),
      );
      assert.deepEqual(await split(chunks, 1000), await split([bytes], 1000));
    }),
    { numRuns: 100 },
  ));
