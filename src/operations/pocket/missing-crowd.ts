// What is missing where a pocket has no moment: the same words in every answer.

import Type, { type Static } from 'typebox';
import { missingCrowd, missingText, noMomentReasons } from '../../domain/atmosphere/no-moment.ts';
import { findPockets } from '../../domain/city/lists/find-entries.ts';
import { iso } from '../../domain/time/slot.ts';
import { crowdRecords } from '../../store/observation/crowd-record.ts';
import { nullable, timeField } from '../core/answer-fields.ts';
import type { OperationContext } from '../core/define.ts';

export const missing = Type.Object(
  {
    reason: Type.Enum([...noMomentReasons]),
    text: Type.String({ description: 'the same in words, as the end of a sentence' }),
    since: nullable(timeField('since when; null where it was never there')),
    until: nullable(timeField('about until when, where it is being learned')),
  },
  { description: 'what a reading of the pocket lacks; absent for a pocket that is not watched' },
);
export type Missing = Static<typeof missing>;

/** What each of these pockets lacks now; those that are not watched are left out. */
export async function loadMissing(
  { store, registry, now, zone }: Pick<OperationContext, 'store' | 'registry' | 'now' | 'zone'>,
  pockets: readonly string[],
): Promise<Map<string, Missing>> {
  const watched = findPockets(registry, pockets);
  if (watched.length === 0) return new Map();
  const records = await crowdRecords(
    store,
    watched.map(({ id }) => id),
    now,
  );
  return new Map(
    watched.flatMap(({ id, expects }): [string, Missing][] => {
      const record = records.get(id);
      if (!record) return [];
      const lacks = missingCrowd({ expects, ...record });
      return [
        [
          id,
          {
            reason: lacks.reason,
            text: missingText(lacks, now, zone),
            since: lacks.since === null ? null : iso(lacks.since),
            until: lacks.until === null ? null : iso(lacks.until),
          },
        ],
      ];
    }),
  );
}

/** Of one pocket, as fields of an answer. */
export const loadMissingFields = async (
  context: OperationContext,
  pocket: string,
): Promise<{ missing?: Missing }> => {
  const lacks = (await loadMissing(context, [pocket])).get(pocket);
  return lacks ? { missing: lacks } : {};
};

/** A sentence after the interface's own words; nothing for a pocket that is not watched. */
export const missingSentence = ({ missing }: { missing?: Missing | undefined }): string =>
  missing ? ` ${missing.text}.` : '';
