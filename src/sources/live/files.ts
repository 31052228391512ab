// A folder that another program writes to. Which files are new is a pure decision; the caller keeps what was seen.
import { constants } from 'node:fs';
import { lstat, open, opendir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Type, { type Static } from 'typebox';
import { type AdapterTerms, type FeedOf, FeedShapeError, type Poll } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import { countFault } from '../core/measurement.ts';
import { combineMeasurements } from '../core/rows/combine.ts';
import { parseJson } from '../core/rows/decode.ts';
import { type ReplayFile, readReplayRows } from '../replay/replay-rows.ts';
import { rootNode } from './generic/pointer.ts';
import { contextForCheck, type ReadResult, readContext } from './generic/read-rows.ts';
import { genericTerms } from './generic/settings.ts';
import { checkCsvRead, csvReadSettings, readCsv } from './generic-csv.ts';
import { checkJsonRead, jsonReadSettings, readJson } from './generic-json.ts';
import { closedObject, withDescription } from './parse/settings.ts';

export const filesSettings = closedObject({
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'path of the folder; without it the feed only names what replay files hold',
    }),
  ),
  ending: Type.Optional(
    Type.String({ pattern: '^[\\w.-]{1,40}$', description: 'how names end, e.g. .csv.gz; default: any' }),
  ),
  most_mb: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 500, description: 'larger files are not read; default: 20' }),
  ),
  csv: Type.Optional(
    withDescription(
      csvReadSettings,
      'files are tables; with neither csv nor json they are in the replay format',
    ),
  ),
  json: Type.Optional(withDescription(jsonReadSettings, 'files are JSON')),
});
export type FilesSettings = Static<typeof filesSettings>;

export const filesAdapter: AdapterTerms<FilesSettings> = {
  name: 'files',
  about: genericTerms,
  settings: filesSettings,
  check({ csv, json }) {
    const context = contextForCheck({ file: 'a' });
    if (csv) checkCsvRead(csv, context);
    if (json) checkJsonRead(json, context);
    if (csv && json) throw new FeedShapeError('settings: files are read as csv or as json, not both');
  },
};

/** Without a folder a feed only says what the rows of replay files mean: a live city does not read it. */
export const isForReplays = ({ adapter, settings }: Pick<Feed, 'adapter' | 'settings'>): boolean =>
  adapter === filesAdapter.name && settings.folder === undefined;

export interface FolderFile {
  name: string;
  size: number;
  /** Epoch milliseconds, whole. */
  mtime: number;
}

/** Size and time of each file that was read, by its name. A file that is written anew is another file. */
export type SeenFiles = Readonly<Record<string, Omit<FolderFile, 'name'>>>;

/** Files that are read in one poll; the others follow in the next. */
const MOST_FILES = 100;
/** Files of a folder: each is looked at in every poll, and remembered once it was read. */
export const MOST_LISTED = 20_000;
/** Of a file in the replay format, with those of other feeds: a small gzip may hold them without end. */
export const MOST_REPLAY_ROWS = 1_000_000;

/**
 * Files to read, the oldest first. Names that begin with a dot or end with .part or .tmp are still being written: a
 * program writes under such a name and renames. `seen` becomes the state once these files were read.
 */
export function newFiles(
  files: readonly FolderFile[],
  before: SeenFiles,
  { ending = '', most_mb = 20 }: Pick<FilesSettings, 'ending' | 'most_mb'>,
): { read: FolderFile[]; too_large: FolderFile[]; seen: SeenFiles } {
  const complete = files.filter(({ name }) => !/^\.|\.(part|tmp)$/i.test(name) && name.endsWith(ending));
  const isSeen = ({ name, size, mtime }: FolderFile): boolean =>
    Object.hasOwn(before, name) && before[name]?.size === size && before[name]?.mtime === mtime;
  const known = complete.filter(isSeen);
  const fresh = complete
    .filter((file) => !isSeen(file))
    .sort((a, b) => a.mtime - b.mtime || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_FILES);
  const isLarge = ({ size }: FolderFile): boolean => size > most_mb * 1024 * 1024;
  return {
    read: fresh.filter((file) => !isLarge(file)),
    too_large: fresh.filter(isLarge),
    // Files that are gone are forgotten, so that the state does not grow for ever.
    seen: Object.fromEntries([...known, ...fresh].map(({ name, size, mtime }) => [name, { size, mtime }])),
  };
}

/** Of Linux, as `statfs` names the kind of a file system. */
const PROC = 0x9fa0;

/**
 * Plain files only: a link could lead out of the folder. What /proc tells of this process, its environment and with it
 * every key, is no file of measurements; nor where it is mounted or linked under another name.
 */
export async function listFolder(folder: string, most = MOST_LISTED): Promise<FolderFile[]> {
  const files: FolderFile[] = [];
  if ((await statfs(folder)).type === PROC)
    throw new FeedShapeError('its folder is a system folder, not one for files');
  let listed = 0;
  for await (const entry of await opendir(folder)) {
    listed += 1;
    if (listed > most)
      throw new FeedShapeError(
        `its folder has more than ${most} entries: move files away once they have been read`,
      );
    if (!entry.isFile()) continue;
    const found = await lstat(join(folder, entry.name)).catch(() => null);
    if (found?.isFile()) files.push({ name: entry.name, size: found.size, mtime: Math.floor(found.mtimeMs) });
  }
  return files;
}

/**
 * Reads a file that was listed, up to `most` bytes. It may have become something else since: a link is not followed, a
 * pipe is not waited for, and what has grown beyond the limit is not read.
 */
export async function readListed(folder: string, name: string, most: number): Promise<Buffer> {
  const file = await open(
    join(folder, name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' || error.code === 'ENXIO'
      ? new FeedShapeError(`${name}: not a file`)
      : error;
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new FeedShapeError(`${name}: not a file`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      size += (chunk as Buffer).length;
      if (size > most) throw new FeedShapeError(`${name}: larger than the limit of ${most / MB} MB`);
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

const MB = 1024 * 1024;

/**
 * Parses the bytes of a file. Throws a `FeedShapeError` that names the file. Rows of other feeds in the
 * replay format are passed over.
 */
export async function parseFeedFile(
  name: string,
  raw: Buffer,
  feed: FeedOf<FilesSettings>,
  poll: Poll,
  most_rows = MOST_REPLAY_ROWS,
): Promise<ReadResult> {
  const { csv, json, most_mb = 20 } = feed.settings;
  const context = readContext(feed, poll, { file: name });
  try {
    if (csv) return readCsv(await unzip(raw, most_mb), csv, context);
    if (json) return readJson(rootNode(parseJson(await unzip(raw, most_mb))), json, context);
  } catch (error) {
    if (error instanceof FeedShapeError) throw new FeedShapeError(`${name}: ${error.message}`);
    throw error;
  }
  return readReplay(raw, { name, time_zone: poll.time_zone, states: context.states, most_rows }, feed);
}

async function readReplay(
  raw: Buffer,
  file: ReplayFile,
  { id, fields = {} }: FeedOf<FilesSettings>,
): Promise<ReadResult> {
  const faults: ReadResult['faults'] = {};
  const combined = combineMeasurements(undefined, faults);
  const missing: ReplayFile['missing'] = (feed, field, fault) => {
    if (feed === id && Object.hasOwn(fields, field)) countFault(faults, fault);
  };
  for await (const measurement of readReplayRows([raw], { ...file, missing })) {
    if (measurement.feed === id) combined.add(measurement);
  }
  return { measurements: combined.all(), faults };
}

const gunzipBuffer = promisify(gunzip);
/** How much larger than its limit a file may become when it is unpacked. */
const UNPACKED = 10;

async function unzip(body: Buffer, most_mb: number): Promise<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return await gunzipBuffer(body, { maxOutputLength: Math.ceil(most_mb * UNPACKED * 1024 * 1024) });
  } catch {
    throw new FeedShapeError('the gzip data is damaged or too large');
  }
}
