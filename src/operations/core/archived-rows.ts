// What an answer says of rows that have left the store with the entries of the ledger that they were made from.
import { placeText, type ToldArchive } from '../../store/ledger/archived.ts';

/** One sentence, or none. */
export const archivedSentence = (archived: ToldArchive | undefined): string[] =>
  archived ? [`what was sealed before ${archived.kept_from} is ${placeText(archived)}.`] : [];
