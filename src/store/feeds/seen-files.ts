// Which files of a feed's folder were read: a file of another size or time is another file.
import type { Reader, Transaction } from '../engine/store.ts';

type SeenFiles = Readonly<Record<string, { size: number; mtime: number }>>;

export async function seenFiles(store: Reader, feed: string): Promise<SeenFiles> {
  const rows = await store.all<{ name: string; size: number; mtime: number }>(
    'select name, size, mtime from feed_files where feed = ?',
    feed,
  );
  return Object.fromEntries(rows.map(({ name, size, mtime }) => [name, { size, mtime }]));
}

/** Stores what is new in `after`, and forgets files that are no longer there. */
export async function writeSeenFiles(
  tx: Transaction,
  feed: string,
  before: SeenFiles,
  after: SeenFiles,
): Promise<void> {
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name))
      await tx.run('delete from feed_files where feed = ? and name = ?', feed, name);
  await tx.insert(
    'feed_files',
    Object.entries(after)
      .filter(([name, { size, mtime }]) => {
        const known = Object.hasOwn(before, name) ? before[name] : undefined;
        return known?.size !== size || known.mtime !== mtime;
      })
      .map(([name, file]) => ({ feed, name, ...file })),
    'on conflict (feed, name) do update set size = excluded.size, mtime = excluded.mtime',
  );
}
