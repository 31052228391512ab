// The notice at the top of every page: what is out of order with all that the page shows.
import { lateSentence } from '../../domain/report/reading-age.ts';
import { historySentence } from '../../domain/text/history-progress.ts';
import type { AppContext } from './app-context.ts';

/** The gravest of: a store that cannot be read, a first history that is still written, late readings. Else null. Whole sentences. */
export function currentNotice({ dataVersion, now, zone }: Pick<AppContext, 'dataVersion' | 'now' | 'zone'>) {
  const since = dataVersion.unreachableSince();
  if (since !== null) return `The store has been unreadable since ${zone.clockWithZone(since)}.`;
  const history = dataVersion.history();
  if (!history.finished) return `${historySentence(history)}.`;
  const newest = dataVersion.newestReading();
  return newest === null ? null : lateSentence(newest, now(), zone);
}
