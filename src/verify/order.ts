// Checks over the whole log: times of writing that never go back, and reveals against the rows they reveal.
import type { Notes } from './bundle.ts';
import { LedgerFault } from './fault.ts';

/** 17 bytes a row, allocated as rows arrive: a log cannot make us reserve memory by claiming a large size. */
interface Chunk {
  marks: Float64Array;
  revealAt: Float64Array;
  revealed: Uint8Array;
}

const CHUNK = 256;

/**
 * The time of writing never decreases. A reveal must refer to an earlier row, not come before that row's reveal time, and be the only one. It refers to the
 * row by its leaf, which cannot change afterwards. Bundles must be passed in order.
 */
export function orderCheck(): (notes: Notes) => void {
  const chunks: Chunk[] = [];
  let newest = 0;
  return ({ marks, revealAt, reveals, writtenAt }) => {
    for (let row = 0; row < writtenAt.length; row++) {
      const time = writtenAt[row] as number;
      if (time < newest) {
        const leaf = chunks.length * CHUNK + row;
        throw new LedgerFault('out_of_order', 'written_at is earlier than that of the row before it', {
          leaf,
        });
      }
      newest = time;
    }
    chunks.push({ marks, revealAt, revealed: new Uint8Array(marks.length) });
    for (let i = 0; i < reveals.length; i += 4) {
      const [own, leaf, mark, at] = reveals.subarray(i, i + 4) as unknown as [number, number, number, number];
      const wrong = wrongReveal(chunks, own, leaf, mark, at);
      if (wrong !== undefined) throw new LedgerFault('out_of_order', wrong, { leaf: own });
    }
  };
}

function wrongReveal(
  chunks: readonly Chunk[],
  own: number,
  leaf: number,
  mark: number,
  at: number,
): string | undefined {
  if (!Number.isInteger(leaf) || leaf < 0 || leaf >= own) return 'sealed_leaf is not a row before it';
  const chunk = chunks[Math.floor(leaf / CHUNK)] as Chunk;
  const row = leaf % CHUNK;
  if (chunk.marks[row] !== mark) return `row ${leaf} does not have the sealed_hash that it reveals`;
  if (!(at >= (chunk.revealAt[row] as number))) return `reveals row ${leaf} too early`;
  if (chunk.revealed[row] === 1) return `reveals row ${leaf} a second time`;
  chunk.revealed[row] = 1;
  return undefined;
}
