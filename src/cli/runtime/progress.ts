import { dateOf } from '../../domain/time/sgt.ts';
import type { Progress } from '../../pipeline/backfill/backfill.ts';
import { say } from './command.ts';

const WIDTH = 32;

/** A bar on a terminal, a line for each day elsewhere. A day is shown once it is safely stored. */
export function progressBar(stream = process.stderr): (progress: Progress) => void {
  const began = performance.now();
  return ({ done, total, slot }) => {
    const share = done / total;
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    if (!stream.isTTY) return say(`history ${dateOf(slot)} written (${percent.trim()})`);
    const filled = Math.round(share * WIDTH);
    const seconds = (performance.now() - began) / 1000;
    const left = Math.ceil((seconds / share) * (1 - share));
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    stream.write(`\r\x1b[2Khistory ${bar}${percent}  ${dateOf(slot)}  ${left} s left`);
    if (done === total) stream.write('\n');
  };
}
