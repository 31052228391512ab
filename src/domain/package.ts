import type { Pocket } from './city.ts';
import type { Decision } from './decision.ts';
import type { Moment } from './moment.ts';
import { iso } from './sgt.ts';
import { decisionId } from './silence.ts';

/** A surfaced unit of output. */
export interface Package {
  id: string;
  slot: number;
  pocket_id: string;
  source_kind: string;
  tier: Decision['tier'];
  composed_text: string;
  json_ld: object;
  attribution_meta: object;
  confidence: number;
  legitimacy_score: number;
  mqs: number;
  resonance: number;
  expires_at: number;
}

export function composePackage(pocket: Pocket, slot: number, moment: Moment, decision: Decision): Package {
  const { candidate_text, candidate_confidence, legitimacy, quality, resonance, tier } = decision;
  return {
    id: decisionId(pocket.id, slot),
    slot,
    pocket_id: pocket.id,
    source_kind: 'moment',
    tier,
    composed_text: candidate_text,
    json_ld: {
      '@context': 'https://schema.org',
      '@type': 'Observation',
      description: candidate_text,
      observationDate: iso(slot),
      expires: iso(moment.expires_at),
      observationAbout: {
        '@type': 'Place',
        name: pocket.name,
        geo: { '@type': 'GeoCoordinates', latitude: pocket.lat, longitude: pocket.lng },
      },
    },
    attribution_meta: { license: 'CC BY-NC-ND 4.0', attribution_required: true, composed_by: 'pocketwatch' },
    confidence: candidate_confidence,
    legitimacy_score: legitimacy.legitimacy_score,
    mqs: quality.mqs,
    resonance,
    expires_at: moment.expires_at,
  };
}
