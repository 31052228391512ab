import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSigner, privateKeyFromPem, privateKeyFromSeed, privateKeyPem } from './key.ts';
import { parseNote, signNote } from './note.ts';
import { openNote, parseVerifierKey } from './testing/open-note.ts';

// Source of the keys, the text and both signatures: golang.org/x/mod, sumdb/note/note_test.go.
const peterKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const peterSeed = Buffer.from('gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=', 'base64');
const enochKey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const text =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const peterSignature =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const enochSignature =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
const [peter, enoch] = [parseVerifierKey(peterKey), parseVerifierKey(enochKey)];

test('signs the published example with the same bytes', () => {
  const signer = createSigner('PeterNeumann', privateKeyFromSeed(peterSeed));
  assert.equal(signer.verifierKey, peterKey);
  assert.equal(signNote(text, [signer]), `${text}\n${peterSignature}`);
});

test('a key is restored from its PEM and from its seed', () => {
  const key = privateKeyFromPem(privateKeyPem(privateKeyFromSeed(peterSeed)));
  assert.deepEqual(key.export({ format: 'der', type: 'pkcs8' }).subarray(-peterSeed.length), peterSeed);
  assert.equal(createSigner('PeterNeumann', key).verifierKey, peterKey);
  assert.throws(() => privateKeyFromPem('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'), {
    code: 'bad_key',
    message: 'not a private key in PEM',
  });
  assert.throws(() => privateKeyFromSeed(Buffer.alloc(31)), { code: 'bad_key' });
});

test('a truncated or altered verifier key is refused', () => {
  for (let start = 0; start < peterKey.length; start++) {
    for (let end = start + 1; end <= peterKey.length; end++) {
      if (start === 0 && end === peterKey.length) continue;
      assert.throws(() => parseVerifierKey(peterKey.slice(start, end)), { code: 'bad_key' });
    }
  }
  for (let at = 0; at < peterKey.length; at++) {
    const next = String.fromCharCode(peterKey.charCodeAt(at) + 1);
    assert.throws(() => parseVerifierKey(peterKey.slice(0, at) + next + peterKey.slice(at + 1)), {
      code: 'bad_key',
    });
  }
  // A key that is too long and an unknown algorithm, each with a matching key id.
  for (const key of [
    'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
    'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  ]) {
    assert.throws(() => parseVerifierKey(key), { code: 'bad_key' });
  }
});

test('key names with spaces, plus signs or control characters are refused', () => {
  const key = privateKeyFromSeed(peterSeed);
  for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\u0085b', 'a\nb', 'a\u2028b', '\ud800']) {
    assert.throws(() => createSigner(name, key), { code: 'bad_key' });
  }
});

test('opens with any known key and ignores unknown ones', () => {
  const both = `${text}\n${peterSignature}${enochSignature}`;
  assert.equal(openNote(both, [peter]), text);
  assert.equal(openNote(both, [enoch]), text);
  assert.equal(openNote(both, [peter, enoch]), text);
  assert.equal(openNote(`${text}\n${peterSignature}${peterSignature}`, [peter]), text);
  assert.throws(() => openNote(both, []), { code: 'bad_signature' });
  assert.throws(() => openNote(`${text}\n${peterSignature}`, [enoch]), { code: 'bad_signature' });
  const misnamed = peterSignature.replace('PeterNeumann', 'CarmenSandiego');
  assert.throws(() => openNote(`${text}\n${misnamed}`, [peter]), { code: 'bad_signature' });
});

test('an invalid signature of a known key makes the note invalid, even beside a valid one', () => {
  const longer = `${peterSignature.slice(0, 60)}ABCD${peterSignature.slice(60)}`;
  assert.throws(() => openNote(`${text}\n${longer}`, [peter]), { code: 'bad_signature' });
  assert.throws(() => openNote(`${text}\n${peterSignature}${longer}`, [peter]), { code: 'bad_signature' });
  assert.throws(() => openNote(`x${text}\n${peterSignature}`, [peter]), { code: 'bad_signature' });
});

test('malformed notes are refused', () => {
  const bad = [
    '',
    text,
    `${text}\n`,
    `${text}\n${peterSignature.slice(0, -1)}`,
    `\u0001${text}\n${peterSignature}`,
    `\ud800${text}\n${peterSignature}`,
    `${text}\r\n${peterSignature}`,
    `${text}\n${peterSignature.replace('PeterNeumann', 'Bad Name')}`,
    `${text}\n${peterSignature.replace('PeterNeumann', 'a+b')}`,
    `${text}\n${peterSignature}Unexpected line.\n`,
    `${text}\n${peterSignature.replace('—', '-')}`,
    `${text}\n${peterSignature.replace('nAM=', 'nAN=')}`,
    `${text}\n— PeterNeumann AAAA\n`,
    `${text}\n${peterSignature.repeat(101)}`,
    `${'x'.repeat(1_000_000)}\n\n${peterSignature}`,
  ];
  for (const note of bad)
    assert.throws(() => openNote(note, [peter]), { code: 'bad_note' }, note.slice(0, 80));
  assert.throws(() => signNote('no newline', []), { code: 'bad_note' });
});

test('the published example of C2SP signed-note is split at its last blank line', () => {
  // Source: https://c2sp.org/signed-note. The text is ours: only where it is split is tested.
  const signature =
    '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n';
  const { text: kept, signatures } = parseNote(`one\n\ntwo\n\n${signature}`);
  assert.equal(kept, 'one\n\ntwo\n');
  assert.equal(signatures[0]?.name, 'quasimodo.example/salvatore');
  assert.equal(signatures[0]?.signature.length, 64);
});

test('any text that may be signed is parsed back', () => {
  const signer = createSigner('log.example', privateKeyFromSeed(peterSeed));
  const verifier = parseVerifierKey(signer.verifierKey);
  const line = fc.string({ unit: 'grapheme' }).filter((part) => !/\p{Cc}/u.test(part));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const signed = `${lines.join('\n')}\n`;
      assert.equal(openNote(signNote(signed, [signer]), [verifier]), signed);
    }),
  );
});
