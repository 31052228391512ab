import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, coolerPressures, moment, pocket, situation } from '../../../test/support/rows/example-moment.ts';
import { decide } from '../decision/decide.ts';
import { composePackage, PROJECTION_VERSION, projectPackage } from './package.ts';

const line = 'tiong bahru is quiet and at work; much calmer than usual; until about half past four.';
const cooler = decide({ ...situation, pressures: coolerPressures });
const composed = composePackage(pocket, at, moment, cooler);

test('the worked example of docs/formulas.md', () => {
  const { json_ld, attribution_meta, ...columns } = composed;
  assert.deepEqual(columns, {
    id: 'tiongbahru-20261111T0700Z',
    slot: at,
    pocket_id: 'tiongbahru',
    source_kind: 'moment',
    tier: 'experience',
    composed_text: line,
    confidence: 0.617,
    legitimacy_score: 78.7,
    mqs: 0.4637,
    resonance: 0.5367,
    pqs: 0.639,
    expires_at: Date.parse('2026-11-11T16:30:00+08:00'),
  });
  assert.deepEqual(json_ld, {
    '@context': 'https://schema.org',
    '@type': 'Observation',
    description: line,
    observationDate: '2026-11-11T07:00:00.000Z',
    expires: '2026-11-11T08:30:00.000Z',
    observationAbout: {
      '@type': 'Place',
      name: 'Tiong Bahru',
      geo: { '@type': 'GeoCoordinates', latitude: 1.285, longitude: 103.83 },
    },
  });
  assert.equal(attribution_meta.license, 'CC BY-NC-ND 4.0');
});

test('the public projection has no scores', () => {
  assert.deepEqual(projectPackage(composed), {
    identity: {
      id: 'tiongbahru-20261111T0700Z',
      pocket_id: 'tiongbahru',
      source_kind: 'moment',
      composed_at: '2026-11-11T07:00:00.000Z',
    },
    experience: { composed_text: line, json_ld: composed.json_ld },
    attribution_meta: composed.attribution_meta,
    pqs: null,
    receipts: null,
    tier: 'experience',
    _projection_version: PROJECTION_VERSION,
  });
});
