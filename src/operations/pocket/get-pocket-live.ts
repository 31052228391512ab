import Type from 'typebox';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { publishedResonance, RESONANCE_THRESHOLD } from '../../domain/decision/resonance.ts';
import { basisOf, sustainabilityKinds } from '../../domain/merchant/sustainability.ts';
import { DAY, iso } from '../../domain/time/slot.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { recentPackages } from '../../store/decision/packages.ts';
import { resonancesBetween } from '../../store/decision/resonances.ts';
import { keptWindow } from '../../store/ledger/archived.ts';
import { recentSustainabilityEvents } from '../../store/merchant/sustainability.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { predictionLedger } from '../../store/prediction/prediction-ledger.ts';
import { currency, netAmount, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { disagreementsField, findDisagreements, readDecided } from '../decision/agreement-fields.ts';
import { tier } from '../decision/decision-fields.ts';
import { resonance } from '../decision/get-resonance.ts';
import { savingBasis } from '../merchant/merchant-fields.ts';
import { linkRow, toPredictionEntry } from '../prediction/prediction-answers.ts';
import { predictionEntry } from '../prediction/prediction-fields.ts';
import { coordinates, reading } from './pocket-fields.ts';

/** How many items each list of recent events has. */
const RECENT = 5;

export const getPocketLive = defineOperation({
  name: 'get_pocket_live',
  title: 'Live snapshot of a pocket',
  description:
    'Shows a pocket as it is now, on one page. Use it to draw a live view, or to ask several things at once. Returns {pocket, atmosphere_latest, narrations_recent, predictions_revealed_recent, sustainability_recent (the last five of each, newest first), resonance {score, should_surface, layers}, disagreements, resonance_history_24h (oldest first)}; what was not observed is null or an empty list.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket: Type.Object({
      id: Type.String(),
      name: Type.String(),
      region: Type.String(),
      ...coordinates,
      summary: Type.String({ description: 'what the place is like on an ordinary day' }),
    }),
    atmosphere_latest: nullable(Type.Object({ ...reading.properties, captured_at: timestamp })),
    narrations_recent: Type.Array(Type.Object({ timestamp, tier, body: Type.String() })),
    predictions_revealed_recent: Type.Array(predictionEntry),
    sustainability_recent: Type.Array(
      Type.Object({
        timestamp,
        kind: Type.Enum([...sustainabilityKinds]),
        value: Type.Number({ description: 'in the unit of its kind' }),
        dollar_value: netAmount,
        currency,
        basis: savingBasis,
      }),
    ),
    resonance: nullable(Type.Pick(resonance, ['score', 'should_surface', 'layers'])),
    disagreements: disagreementsField,
    resonance_history_24h: Type.Array(
      Type.Object({ timestamp, score: unit, should_surface: Type.Boolean() }),
    ),
  }),
  load: async ({ pocket_id }, context) => {
    const { store, registry, now, baseUrl } = context;
    const pocket = findPocket(registry, pocket_id);
    if (!pocket) throw new NotFound(`unknown pocket: ${pocket_id}`);
    const whole = { after: 0, until: now, pocket: pocket_id, generator: undefined };
    const { window: revealed } = await keptWindow(store, whole);
    const [readings, packages, forecasts, record, history, saved] = await Promise.all([
      readingsBetween(store, pocket_id, now - DAY, now),
      recentPackages(store, pocket_id, now, RECENT),
      predictionLedger(store, revealed, 'only', RECENT),
      currentMoment(store, pocket_id, now),
      resonancesBetween(store, pocket_id, now - DAY, now),
      recentSustainabilityEvents(store, { pocket: pocket_id, after: 0, until: now, limit: RECENT }),
    ]);
    const linked = forecasts.map(linkRow(baseUrl));
    return {
      pocket,
      latest: readings.at(-1),
      packages,
      forecasts: linked,
      record,
      decided: record && (await readDecided(context, pocket_id, record.slot)),
      history,
      saved,
      currency: registry.city.currency,
    };
  },
  shape: ({ pocket, latest, packages, forecasts, record, decided, history, saved, currency }) => {
    const { id, name, region, lat, lng, character } = pocket;
    return {
      pocket: { id, name, region, lat, lng, summary: character.summary },
      atmosphere_latest: latest ? atmosphereFields(latest) : null,
      narrations_recent: packages.map(({ slot, tier, composed_text }) => ({
        timestamp: iso(slot),
        tier,
        body: composed_text,
      })),
      predictions_revealed_recent: forecasts.map(toPredictionEntry),
      sustainability_recent: saved.map(({ slot, kind, magnitude, value_cents }) => ({
        timestamp: iso(slot),
        kind,
        value: magnitude,
        dollar_value: value_cents / 100,
        currency,
        basis: basisOf[kind],
      })),
      resonance: record ? resonanceSummary(publishedResonance(record.layers, record.moment)) : null,
      disagreements: findDisagreements(record, decided),
      resonance_history_24h: history.map(({ slot, resonance }) => ({
        timestamp: iso(slot),
        score: resonance,
        should_surface: resonance >= RESONANCE_THRESHOLD,
      })),
    };
  },
  speak: ({ pocket, atmosphere_latest, resonance, narrations_recent }, _input, zone) => {
    if (!atmosphere_latest) return `${pocket.id} was not observed in the last 24h.`;
    const { primary_state, calm, captured_at } = atmosphere_latest;
    const last = narrations_recent[0];
    return [
      `${pocket.id} at ${zone.clockWithZone(Date.parse(captured_at))}: ${primary_state}, calm level ${calm}.`,
      resonance ? `resonance ${resonance.score}.` : 'not enough recent data for a moment.',
      last ? `last said: ${last.body}` : 'nothing has been surfaced so far.',
    ].join(' ');
  },
  rest: { path: '/api/pocket-live', names: { pocket_id: 'pocket' } },
});

function atmosphereFields({ pocket_id: _here, slot, completeness: _share, ...qualities }: Reading) {
  return { ...qualities, captured_at: iso(slot) };
}

const resonanceSummary = ({ score, should_surface, layers }: ReturnType<typeof publishedResonance>) => ({
  score,
  should_surface,
  layers,
});
