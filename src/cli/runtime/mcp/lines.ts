// Splits a byte stream into lines of UTF-8. The sender decides how long a line is, so at most `maxBytes` of one are kept:
// of a longer line only the fact is reported.

export type Line = { text: string } | { tooLong: true };

const NEWLINE = 0x0a;

/** The last line needs no newline at its end. Lines without a character other than spaces are left out. */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): Line | undefined => {
    const text = Buffer.concat(parts).toString();
    const line = size > maxBytes ? { tooLong: true as const } : text.trim() ? { text } : undefined;
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = take();
      if (line) yield line;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  const last = take();
  if (last) yield last;
}
