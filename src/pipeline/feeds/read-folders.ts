// Reads the new files of a feed's folder. Which files were read is stored with their rows: after a crash in between the
// files are read again, and rows that are stored already stay as they are.
import { FeedShapeError, MOST_POLL_BYTES, MOST_VALUES, type Poll } from '../../sources/core/adapter.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { FetchError } from '../../sources/core/fetch-error.ts';
import { addRows, type FeedReading, noReading } from '../../sources/core/read-feed.ts';
import {
  type FilesSettings,
  type FolderFile,
  listFolder,
  newFiles,
  parseFeedFile,
  readListed,
  type SeenFiles,
} from '../../sources/live/files.ts';
import type { Reader } from '../../store/engine/store.ts';
import { compressBody } from '../../store/feeds/archive.ts';
import { seenFiles, writeSeenFiles } from '../../store/feeds/seen-files.ts';
import type { Gathered } from './feed-context.ts';

/** Larger files are read and not archived. */
const MAX_ARCHIVED_BYTES = 32 * 1024 * 1024;

/** Whatever goes wrong becomes the error of the reading; the other files are read all the same. */
export async function readFolder(store: Reader, feed: Feed, poll: Poll): Promise<Gathered> {
  const before = await seenFiles(store, feed.id);
  const { reading, raw, seen } = await readNewFiles(feed, poll, before);
  const bodies: Gathered['bodies'] = [];
  for (const [name, content] of raw)
    bodies.push(
      content.length > MAX_ARCHIVED_BYTES ? null : await compressBody(feed.id, `file:${name}`, content),
    );
  return {
    reading,
    bodies,
    validators: {},
    alongside: (tx) => writeSeenFiles(tx, feed.id, before, seen),
  };
}

export interface FolderReading {
  reading: FeedReading;
  /** Names and bytes of the files that were read. */
  raw: [name: string, content: Buffer][];
  /** What was seen, once the rows are stored. */
  seen: SeenFiles;
}

export async function readNewFiles(feed: Feed, poll: Poll, before: SeenFiles): Promise<FolderReading> {
  const settings = feed.settings as FilesSettings;
  const { folder = '' } = settings;
  const reading = noReading();
  const raw: FolderReading['raw'] = [];
  let files: FolderFile[];
  try {
    files = await listFolder(folder);
  } catch (error) {
    reading.error = accessError('its folder', error);
    return { reading, raw, seen: before };
  }
  const { read, too_large, seen } = newFiles(files, before, settings);
  const { most_mb = 20 } = settings;
  for (const { name } of too_large)
    reading.error ??= new FeedShapeError(`${name}: larger than the limit of ${most_mb} MB`);
  const unread = new Set<string>();
  let size = 0;
  for (const file of read) {
    size += file.size;
    // The others follow in the next poll.
    const isLater = size > MOST_POLL_BYTES || reading.rows.length >= MOST_VALUES;
    if (isLater && size > file.size) {
      unread.add(file.name);
      continue;
    }
    try {
      const content = await readListed(folder, file.name, most_mb * 1024 * 1024).catch((error) => {
        throw accessError(file.name, error);
      });
      addRows(reading, await parseFeedFile(file.name, content, { ...feed, settings }, poll));
      reading.bodies += 1;
      raw.push([file.name, content]);
    } catch (error) {
      reading.error ??= error;
      // A file of another shape is not read again before it changes; one that cannot be opened is.
      if (!(error instanceof FeedShapeError)) unread.add(file.name);
    }
  }
  if (reading.bodies === 0 && reading.error === undefined) reading.unchanged = 1;
  const done = Object.entries(seen).filter(([name]) => !unread.has(name));
  return { reading, raw, seen: Object.fromEntries(done) };
}

const accessError = (what: string, error: unknown): Error => {
  if (error instanceof FeedShapeError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return new FetchError(
    'network',
    code === 'ENOENT' ? `${what} does not exist` : `${what} cannot be read (${code ?? 'unknown error'})`,
  );
};
