// Cuts the list of a long file `{ "$schema": …, "NAME": [ … ] }` into pieces of some entries each, so that they need not be
// parsed all at once. It only looks for where entries end: whether a piece is JSON, its parser says.

export interface ListPieces {
  /** The file without the entries of its list. */
  around: Buffer;
  /** The entries, with the commas between them. */
  pieces: readonly Buffer[];
}

const PIECE_BYTES = 1024 * 1024;

/** Of the file itself, and of its list. */
const [IN_FILE, IN_LIST] = [1, 2];
const codeOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST] = [
  codeOf('{'),
  codeOf('['),
  codeOf('}'),
  codeOf(']'),
];

/** Undefined where there is one piece only, or not one list alone. */
export function cutList(bytes: Buffer, pieceBytes = PIECE_BYTES): ListPieces | undefined {
  if (bytes.length <= pieceBytes) return undefined;
  const pieces: Buffer[] = [];
  let depth = 0;
  let inText = false;
  let [open, close, begin] = [-1, -1, -1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
      if (depth !== IN_LIST) continue;
      if (open >= 0) return undefined;
      open = at;
      begin = at + 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth !== IN_FILE || close >= 0) continue;
      close = at;
      pieces.push(bytes.subarray(begin, at));
    } else if (byte === COMMA && depth === IN_LIST && at - begin >= pieceBytes) {
      pieces.push(bytes.subarray(begin, at));
      begin = at + 1;
    }
  }
  if (close < 0 || pieces.length < 2) return undefined;
  return { around: Buffer.concat([bytes.subarray(0, open + 1), bytes.subarray(close)]), pieces };
}

/** The entries of a piece; throws where it is none. */
export function parsePiece(piece: Buffer): unknown[] {
  const entries = JSON.parse(
    `[${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(piece)}]`,
  ) as unknown[];
  if (!entries.length) throw new SyntaxError('nothing is between two commas');
  return entries;
}
