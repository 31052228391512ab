import Type from 'typebox';
import { clockOf, iso } from '../../domain/time/sgt.ts';
import { calmPockets } from '../../store/decision/calm-pockets.ts';
import { count } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { moment } from './pocket-fields.ts';

export const findCalmPocketNow = defineOperation({
  name: 'find_calm_pocket_now',
  title: 'Find a calm pocket now',
  description:
    'Ranks the pockets that are calm now. Use it for questions such as "where is it quiet at the moment?". Returns {count, pockets}, each row with {pocket_id, primary_state, calm_probability, half_life_minutes, expires_at, live_url}, the calmest first and among equals the one whose window lasts longest. Pockets where the service chooses silence are left out; an empty list is a normal answer.',
  input: {
    min_calm_probability: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.6,
      description: 'least calm probability to be listed',
    }),
    top_n: Type.Integer({ minimum: 1, maximum: 10, default: 3, description: 'most pockets to list' }),
  },
  output: Type.Object({
    count,
    pockets: Type.Array(
      Type.Object({
        ...Type.Pick(moment, [
          'pocket_id',
          'primary_state',
          'calm_probability',
          'half_life_minutes',
          'expires_at',
        ]).properties,
        live_url: Type.String({ format: 'uri', description: 'page of the pocket' }),
      }),
    ),
  }),
  effect: 'read',
  load: async ({ min_calm_probability, top_n }, { store, now, baseUrl }) => ({
    baseUrl,
    found: await calmPockets(store, now, min_calm_probability, top_n),
  }),
  shape: ({ baseUrl, found }) => ({
    count: found.length,
    pockets: found.map(({ expires_at, ...row }) => ({
      ...row,
      expires_at: iso(expires_at),
      live_url: `${baseUrl}/pocket/${row.pocket_id}`,
    })),
  }),
  speak: ({ count, pockets }, { min_calm_probability }) => {
    const threshold = `calm probability ${min_calm_probability} or more`;
    if (!count) return `no pocket has ${threshold} just now, apart from any where silence is chosen.`;
    const lines = pockets.map(
      ({ pocket_id, primary_state, calm_probability, half_life_minutes, expires_at, live_url }) =>
        `${pocket_id}: ${primary_state}, calm probability ${calm_probability}, half-life ${half_life_minutes} minutes, to ${clockOf(Date.parse(expires_at))} SGT. ${live_url}`,
    );
    return [`calm now, ${threshold}:`, ...lines].join('\n');
  },
  rest: { path: '/api/calm-pockets' },
});
