import type { Reader, Transaction } from './store.ts';

const PART_CHARACTERS = 1_000_000;

/** Keeps the newest state and the one before it. */
export async function writeForecasterState(tx: Transaction, slot: number, bytes: Uint8Array): Promise<void> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const parts = [];
  for (let at = 0; at < text.length; at += PART_CHARACTERS) {
    parts.push({ slot, part: parts.length, body: text.slice(at, at + PART_CHARACTERS) });
  }
  const kept = await tx.get<{ slot: number | null }>(
    'select max(slot) as slot from forecaster_states where slot < ?',
    slot,
  );
  await tx.run('delete from forecaster_states where slot < ?', kept?.slot ?? 0);
  await tx.insert('forecaster_states', parts, 'on conflict (slot, part) do update set body = excluded.body');
}

/** The newest state from before `slot`. */
export async function readForecasterState(
  store: Reader,
  slot: number,
): Promise<{ slot: number; bytes: Uint8Array } | null> {
  const rows = await store.all<{ slot: number; body: string }>(
    `select slot, body from forecaster_states
     where slot = (select max(slot) from forecaster_states where slot < ?) order by part`,
    slot,
  );
  const [first] = rows;
  return first
    ? { slot: first.slot, bytes: Buffer.from(rows.map(({ body }) => body).join(''), 'base64') }
    : null;
}
