import Type from 'typebox';
import { PROJECTION_VERSION, projectPackage } from '../../domain/narration/package.ts';
import { printable } from '../../domain/text/printable.ts';
import { recentPackages } from '../../store/decision/packages.ts';
import { count, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { cutPage, slotPosition } from '../core/list-options.ts';
import { listWithin, restAddress } from '../core/text-list.ts';
import { tier } from './decision-fields.ts';

const projectionVersion = Type.String({ description: 'version of the shape of a package' });

const packageProjection = Type.Object({
  identity: Type.Object({
    id: Type.String(),
    pocket_id: Type.String(),
    source_kind: Type.String({ description: 'what the line was composed from' }),
    composed_at: timestamp,
  }),
  experience: Type.Object({
    composed_text: Type.String(),
    json_ld: Type.Record(Type.String(), Type.Unknown(), {
      description: 'the line as schema.org JSON-LD, whose vocabulary is open',
    }),
  }),
  attribution_meta: Type.Object({
    license: Type.String(),
    attribution_required: Type.Boolean(),
    composed_by: Type.String(),
  }),
  pqs: Type.Null({ description: 'not for public callers' }),
  receipts: Type.Null({ description: 'not for public callers' }),
  tier,
  _projection_version: projectionVersion,
});

/** The text lists at most this many; the structured half holds them all. */
const SPOKEN_PACKAGES = 10;

export const getPocketPackages = defineOperation({
  name: 'get_pocket_packages',
  title: 'Packages surfaced for a pocket',
  description:
    'Lists what the service has said about a pocket, newest first. Use it to quote its words with attribution, or to see how often it speaks. Not for what is live now (get_live_moment_story) or was drafted and not said (get_pocket_counterfactuals). Returns count, packages [{identity, experience, attribution_meta, tier}] and _projection_version; an empty list is normal.',
  toolsets: ['record'],
  input: {
    pocket_id: pocketId,
    limit: wholeNumber(1, 50, 10, 'maximum packages to list'),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    count,
    packages: Type.Array(packageProjection),
    _projection_version: projectionVersion,
  }),
  list: 'packages',
  position: { slot: slotPosition },
  load: async ({ pocket_id, limit }, { store, now }, from) =>
    cutPage(await recentPackages(store, pocket_id, from ? from.slot - 1 : now, limit + 1), limit),
  next: ({ last }) => last && { slot: last.slot },
  shape: ({ rows: packages }, { pocket_id }) => ({
    pocket_id,
    count: packages.length,
    packages: packages.map(projectPackage),
    _projection_version: PROJECTION_VERSION,
  }),
  speak: ({ count, packages }, { pocket_id, limit }, zone) => {
    const place = printable(pocket_id);
    if (!count) return `nothing has been surfaced for ${place} so far: silence is the usual outcome.`;
    const lines = packages.map(({ identity, experience, tier }) => {
      const at = Date.parse(identity.composed_at);
      return `${zone.localDate(at)} ${zone.clockWithZone(at)} (${tier}): ${experience.composed_text}`;
    });
    const address = restAddress('/api/packages', { pocket: pocket_id, limit });
    const listed = listWithin(lines, address, SPOKEN_PACKAGES);
    return [`surfaced for ${place}, newest first (${count}):`, ...listed].join('\n');
  },
  rest: { path: '/api/packages', names: { pocket_id: 'pocket' } },
});
