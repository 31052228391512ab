import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutList, parsePiece } from './json-pieces.ts';

/** The file as it is read piece by piece; undefined where it is parsed at once. */
function readPieces(text: string, pieceBytes: number): { around: unknown; entries: unknown[] } | undefined {
  const list = cutList(Buffer.from(text), pieceBytes);
  return (
    list && {
      around: JSON.parse(list.around.toString()),
      entries: list.pieces.flatMap(parsePiece),
    }
  );
}

test('a file that is cut gives what it gives at once, wherever it is cut', () => {
  const spacing = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      spacing,
      fc.integer({ min: 1, max: 40 }),
      (list, spaces, bytes) => {
        const text = JSON.stringify({ $schema: '["a],[}', list }, null, spaces);
        const read = readPieces(text, bytes);
        if (list.length === 1) assert.equal(read, undefined);
        else if (read)
          assert.deepEqual(read, {
            around: { $schema: '["a],[}', list: [] },
            entries: JSON.parse(text).list,
          });
      },
    ),
  );
});

test('a short file, and one of another form, is not cut', () => {
  assert.equal(cutList(Buffer.from('{"list":[1,2,3]}'), 16), undefined);
  for (const text of [
    '{"list":[1],"more":[2]}',
    '{"list":{"a":1},"more":[2]}',
    '[[1],[2]]',
    '{"list":1}',
    '"list"',
    '{"list":[1,2',
  ])
    assert.equal(cutList(Buffer.from(text), 1), undefined, text);
});

test('a file that is not JSON is not taken for it because it was cut', () => {
  const text = '{"list":[{"a":[1,2]},"b\\"",{"c":null}]}';
  assert.deepEqual(readPieces(text, 1)?.entries, JSON.parse(text).list);
  const changes = fc.tuple(
    fc.integer({ min: 0, max: text.length }),
    fc.integer({ min: 0, max: 2 }),
    fc.constantFrom('', ',', '"', '[', ']', '{', '}', '\\', ' ', '1', ',,', '],['),
    fc.integer({ min: 1, max: 20 }),
  );
  const attempt = (read: () => unknown) => {
    try {
      return { read: read() };
    } catch {
      return 'refused';
    }
  };
  fc.assert(
    fc.property(changes, ([at, removed, put, bytes]) => {
      const changed = text.slice(0, at) + put + text.slice(at + removed);
      const pieces = attempt(() => readPieces(changed, bytes));
      if (pieces !== 'refused' && pieces.read === undefined) return;
      const whole = attempt(() => {
        const content = JSON.parse(changed);
        const [name = ''] = Object.keys(content).filter((key) => Array.isArray(content[key]));
        assert.ok(name, 'it has no list');
        return { around: { ...content, [name]: [] }, entries: content[name] };
      });
      assert.deepEqual(pieces, whole, changed);
    }),
    { numRuns: 2000 },
  );
});

test('bytes that are not UTF-8 are refused', () => {
  assert.throws(() => parsePiece(Buffer.of(0x22, 0xff, 0x22)), TypeError);
  assert.throws(() => parsePiece(Buffer.from('\ufeff1')), SyntaxError);
  assert.throws(() => parsePiece(Buffer.from(' ')), SyntaxError);
});
