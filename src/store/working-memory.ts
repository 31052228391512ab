import type { Reader, Transaction } from './store.ts';

const VERSION = 'version';

/** The version of the memory, locked until the transaction ends. */
export async function lockMemory(tx: Transaction): Promise<string> {
  const row = await tx.get<{ body: string }>(
    `insert into working_memory (key, body) values (?, '')
     on conflict (key) do update set body = working_memory.body returning body`,
    VERSION,
  );
  return row?.body ?? '';
}

export async function readMemory(store: Reader): Promise<Map<string, unknown>> {
  const rows = await store.all<{ key: string; body: string }>(
    'select key, body from working_memory where key <> ?',
    VERSION,
  );
  return new Map(rows.map(({ key, body }) => [key, JSON.parse(body)]));
}

export async function writeMemory(
  tx: Transaction,
  version: string,
  entries: readonly (readonly [key: string, value: unknown])[],
): Promise<void> {
  const rows = entries.map(([key, value]) => ({ key, body: JSON.stringify(value) }));
  const upsert = 'on conflict (key) do update set body = excluded.body';
  await tx.insert('working_memory', [...rows, { key: VERSION, body: version }], upsert);
}
