// Feeds that are described and not read: folders without a file, and those that only say what replay files hold.
import { readdirSync } from 'node:fs';
import type { Feed } from '../../../sources/core/feed.ts';
import { type FilesSettings, filesAdapter, isForReplays, newFiles } from '../../../sources/live/files.ts';

/** Why nothing is read of a feed, as far as that can be told without asking anybody; null where something may be. */
export function unreadReason(feed: Feed): string | null {
  if (feed.adapter !== filesAdapter.name) return null;
  if (isForReplays(feed)) return 'nothing while the city is live: it is for replays';
  const settings = feed.settings as FilesSettings;
  const names = fileNames(settings.folder ?? '');
  if (names === null) return 'nothing: its folder cannot be read';
  const files = names.map((name) => ({ name, size: 0, mtime: 0 }));
  return newFiles(files, {}, settings).read.length > 0 ? null : 'nothing: its folder has no file';
}

function fileNames(folder: string): string[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [entry.name] : [],
    );
  } catch {
    return null;
  }
}
