import { type HistoryProgress, historySentence } from '../../domain/text/history-progress.ts';

const WIDTH = 32;
/** Where there is no terminal, about as many lines in all. */
const LINES = 10;

/** Shows how far the history is written: a bar on a terminal, a line every few days elsewhere. */
export function progressBar(
  stream: { isTTY: boolean; write(text: string): unknown } = process.stderr,
): (progress: HistoryProgress) => void {
  let shown = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const { finished, done, total } = progress;
    if (stream.isTTY) {
      const filled = finished ? WIDTH : Math.floor((done / Math.max(total, 1)) * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      stream.write(`\r\x1b[2K${bar}  ${historySentence(progress)}${finished ? '\n' : ''}`);
    } else if (finished || done >= shown + Math.max(1, Math.ceil(total / LINES))) {
      stream.write(`${historySentence(progress)}\n`);
      shown = done;
    }
  };
}
