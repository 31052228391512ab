// The JSON of a long answer as bytes. The text of a hundred thousand rows and its copies would take several times the memory
// of its bytes: a long list is written some rows at a time, once to know how long it gets and once into its place.

/** Some hundred kilobytes of text. */
const ROWS_AT_ONCE = 1000;
/** Lists are in the answer itself, or in the `structuredContent` of a tool's result. */
const DEEPEST = 2;

/** The bytes of `JSON.stringify(value)`, in memory of their own. */
export function jsonBytes(value: object): Buffer {
  let size = 0;
  for (const piece of jsonPieces(value)) size += Buffer.byteLength(piece);
  const bytes = Buffer.allocUnsafeSlow(size);
  let end = 0;
  for (const piece of jsonPieces(value)) end += bytes.write(piece, end);
  return bytes;
}

function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (Array.isArray(value) && value.length > ROWS_AT_ONCE) yield* piecesOfList(value);
  else if (depth < DEEPEST && isRecord(value)) yield* piecesOfFields(value, depth);
  else yield JSON.stringify(value);
}

function* piecesOfList(list: readonly unknown[]): Generator<string> {
  for (let from = 0; from < list.length; from += ROWS_AT_ONCE) {
    const rows = JSON.stringify(list.slice(from, from + ROWS_AT_ONCE));
    yield `${from === 0 ? '[' : ','}${rows.slice(1, -1)}`;
  }
  yield ']';
}

function* piecesOfFields(fields: Record<string, unknown>, depth: number): Generator<string> {
  let before = '{';
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(field, depth + 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
