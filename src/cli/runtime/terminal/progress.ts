import { CLEAR_LINE } from './clear-line.ts';

const WIDEST = 32;
/** A bar that is shorter shows nothing. */
const NARROWEST = 8;
/** Of a terminal that does not say. */
const COLUMNS = 80;
/** Where there is no terminal, about as many lines in all. */
const LINES = 10;

interface ProgressStream {
  isTTY: boolean;
  columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  finished: boolean;
  done: number;
  total: number;
}

/** Shows how far something is, with a sentence on it: on one line of a terminal, a line every so often elsewhere. */
export function progressBar<P extends Progress>(
  sentenceOf: (progress: P) => string,
  stream: ProgressStream = process.stderr,
): (progress: P) => void {
  let shown = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const { finished, done, total } = progress;
    if (stream.isTTY) {
      const line = barLine(progress, sentenceOf(progress), stream.columns || COLUMNS);
      stream.write(`${CLEAR_LINE}${line}${finished ? '\n' : ''}`);
    } else if (finished || done >= shown + Math.max(1, Math.ceil(total / LINES))) {
      stream.write(`${sentenceOf(progress)}\n`);
      shown = done;
    }
  };
}

/** Shorter than the terminal is wide: a line that wraps cannot be drawn over. */
function barLine({ finished, done, total }: Progress, sentence: string, columns: number): string {
  const width = Math.min(WIDEST, columns - sentence.length - 3);
  if (width < NARROWEST) return sentence.slice(0, columns - 1);
  const filled = finished ? width : Math.floor((done / Math.max(total, 1)) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${sentence}`;
}
