/** Packages: what is published, its quality, and its public projection (docs/formulas.md, "Silence and package"). */

import type { Pocket } from '../city/city.ts';
import type { Decision } from '../decision/decide.ts';
import type { Moment } from '../decision/moment.ts';
import { decisionId } from '../decision/silence.ts';
import type { Tier } from '../decision/tier.ts';
import { round } from '../stats/unit-scale.ts';
import { iso } from '../time/slot.ts';
import { judgedAt } from '../window/calm-window.ts';

/** A published unit of output: what was said of a pocket at a slot. */
export interface Package {
  id: string;
  slot: number;
  pocket_id: string;
  source_kind: string;
  tier: Tier;
  composed_text: string;
  /** schema.org JSON-LD of the line. */
  json_ld: Record<string, unknown>;
  attribution_meta: { license: string; attribution_required: boolean; composed_by: string };
  confidence: number;
  legitimacy_score: number;
  mqs: number;
  resonance: number;
  /** Package quality score, 0..1; for operators only. */
  pqs: number;
  expires_at: number;
}

/** The geometric mean of how sure, how justified and how fitting a line is: one weak part lowers it most. */
export const packageQuality = ({
  confidence,
  legitimacy_score,
  resonance,
}: Pick<Package, 'confidence' | 'legitimacy_score' | 'resonance'>): number =>
  round(Math.cbrt(confidence * (legitimacy_score / 100) * resonance));

export function composePackage(pocket: Pocket, slot: number, moment: Moment, decision: Decision): Package {
  const ends_at = judgedAt(slot, moment.window_ends_at);
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
      expires: iso(ends_at),
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
    pqs: packageQuality({
      confidence: candidate_confidence,
      legitimacy_score: legitimacy.legitimacy_score,
      resonance,
    }),
    expires_at: ends_at,
  };
}

/** Version of the projected shape; changes when the shape does. */
export const PROJECTION_VERSION = '1.0';

/** A package as the public reads it. By contract its quality score (pqs) and receipts are null for public callers. */
export function projectPackage(item: Package) {
  const { id, pocket_id, source_kind, slot, composed_text, json_ld, attribution_meta, tier } = item;
  return {
    identity: { id, pocket_id, source_kind, composed_at: iso(slot) },
    experience: { composed_text, json_ld },
    attribution_meta,
    pqs: null,
    receipts: null,
    tier,
    _projection_version: PROJECTION_VERSION,
  };
}
