// C2SP signed-note: a text followed by signature lines, the format of checkpoints.
import { LedgerError } from './error.ts';
import { isKeyName, type Signer } from './key.ts';

/** More than any log and its witnesses need. A note may be served by others, who choose its length. */
const MAX_NOTE = 1_000_000;
const MAX_SIGNATURES = 100;

export interface NoteSignature {
  name: string;
  keyId: string;
  signature: Buffer;
}

export interface Note {
  /** The signed text with its final newline. Not verified. */
  text: string;
  signatures: NoteSignature[];
}

export function signNote(text: string, signers: readonly Signer[]): string {
  checkCharacters(text);
  if (!text.endsWith('\n')) throw new LedgerError('bad_note', 'the text of a note ends in a newline');
  const lines = signers.map((signer) => {
    const signature = Buffer.concat([Buffer.from(signer.keyId, 'hex'), signer.sign(text)]);
    return `— ${signer.name} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

export function parseNote(note: string): Note {
  if (note.length > MAX_NOTE) throw new LedgerError('bad_note', 'the note is too long');
  checkCharacters(note);
  // The text may contain blank lines: the last one ends it.
  const blank = note.lastIndexOf('\n\n');
  if (blank < 0 || !note.endsWith('\n')) throw new LedgerError('bad_note', 'the note has no signatures');
  const lines = note.slice(blank + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new LedgerError('bad_note', 'the note has too many signatures');
  return { text: note.slice(0, blank + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [, name, encoded] = /^— (\S+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? [];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  if (name === undefined || !isKeyName(name) || bytes.length < 5 || bytes.toString('base64') !== encoded) {
    throw new LedgerError('bad_note', 'a signature line is not one');
  }
  return { name, keyId: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

function checkCharacters(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a note may not hold
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text) || !text.isWellFormed()) {
    throw new LedgerError('bad_note', 'a note is text without control characters');
  }
}
