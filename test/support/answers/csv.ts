// A strict parser of RFC 4180: every line ends in CRLF, every quote is closed.
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    let cell = '';
    if (quoted) {
      for (at += 1; ; at += 1) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Error('a quote is not closed');
        cell += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
    } else {
      const [plain = ''] = /^[^",\r\n]*/.exec(text.slice(at, at + 10_000)) ?? [];
      cell = plain;
      at += plain.length;
    }
    row.push(cell);
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) throw new Error('the last line has no end');
    } else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`a cell ends in ${JSON.stringify(text.slice(at, at + 5))}`);
  }
  return rows;
}
