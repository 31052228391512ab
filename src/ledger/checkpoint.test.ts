import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCheckpoint, signCheckpoint } from './checkpoint.ts';
import { createSigner, privateKeyFromSeed } from './key.ts';
import { EMPTY_ROOT } from './merkle.ts';
import { openCheckpoint, openNote, parseVerifierKey } from './testing/open-note.ts';

// The root and the signature are those of the example at https://c2sp.org/tlog-checkpoint. They were taken from the
// Go checksum database, so under its own name and first line the signature holds. Its key: cmd/go, modfetch/key.go.
const goKey = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
const root = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const signature =
  'Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=';

test('a signature of the Go checksum database verifies', () => {
  const note = `go.sum database tree\n20852163\n${root}\n\n— sum.golang.org ${signature}\n`;
  const text = openNote(note, [parseVerifierKey(goKey)]);
  assert.deepEqual(parseCheckpoint(text), {
    origin: 'go.sum database tree',
    size: 20852163,
    root: Buffer.from(root, 'base64').toString('hex'),
  });
  // Its origin differs from the name of its key, which our own log does not allow.
  assert.throws(() => openCheckpoint(note, parseVerifierKey(goKey)), { code: 'bad_checkpoint' });
  assert.throws(() => openNote(note.replace('20852163', '20852164'), [parseVerifierKey(goKey)]), {
    code: 'bad_signature',
  });
});

test('the example of C2SP tlog-checkpoint is parsed', () => {
  const text = `example.com/behind-the-sofa\n20852163\n${root}\n`;
  assert.equal(parseCheckpoint(text).origin, 'example.com/behind-the-sofa');
});

const signer = createSigner('watch.example/ledger', privateKeyFromSeed(Buffer.alloc(32, 7)));

test('a signed checkpoint opens to what was signed', () => {
  const note = signCheckpoint(0, EMPTY_ROOT, signer);
  assert.deepEqual(openCheckpoint(note, parseVerifierKey(signer.verifierKey)), {
    origin: 'watch.example/ledger',
    size: 0,
    root: EMPTY_ROOT,
  });
  const witnessed = `${note}— witness.example AAAAAAAAAAAA\n`;
  assert.equal(openCheckpoint(witnessed, parseVerifierKey(signer.verifierKey)).size, 0);
});

test('the time is an extension line, which the signature covers', () => {
  const writtenAt = Date.parse('2026-11-11T04:00:02.125Z');
  const note = signCheckpoint(0, EMPTY_ROOT, signer, writtenAt);
  const verifier = parseVerifierKey(signer.verifierKey);
  assert.equal(note.split('\n')[3], 'written_at 2026-11-11T04:00:02.125Z');
  assert.equal(openCheckpoint(note, verifier).writtenAt, writtenAt);
  assert.throws(() => openCheckpoint(note.replace('04:00:02', '03:00:02'), verifier), {
    code: 'bad_signature',
  });
  assert.equal(parseCheckpoint(`o\n7\n${root}\nother\nwritten_at ${writtenAt}x\n`).writtenAt, undefined);
});

test('a checkpoint is parsed strictly, and other extension lines are ignored', () => {
  assert.equal(parseCheckpoint(`o\n7\n${root}\nan extension\n`).size, 7);
  const bad = [
    '',
    `o\n7\n${root}`,
    `\n7\n${root}\n`,
    `o\n07\n${root}\n`,
    `o\n-7\n${root}\n`,
    `o\n+7\n${root}\n`,
    `o\n7.0\n${root}\n`,
    `o\n7e3\n${root}\n`,
    `o\n 7\n${root}\n`,
    `o\n\n${root}\n`,
    `o\n7\n${root.slice(0, -1)}\n`,
    `o\n7\n${root.replace('2I=', '2J=')}\n`,
    `o\n7\n${root.slice(4)}\n`,
    `o\n7\n\n`,
    `o\n7\n${root}\n\n`,
    `o\n7\n${root}\n\nextension\n`,
    `o\n7\n${root}\nextension`,
  ];
  for (const text of bad) assert.throws(() => parseCheckpoint(text), { code: 'bad_checkpoint' }, text);
  assert.throws(() => parseCheckpoint(`o\n9007199254740993\n${root}\n`), { code: 'bad_size' });
});
