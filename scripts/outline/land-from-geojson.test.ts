import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectRings, type GeoJson, landIn } from './land-from-geojson.ts';

const island = [
  [1, 1],
  [2, 1],
  [2, 2],
  [1.5, 2.0001],
  [1, 2],
  [1, 1],
];
const mainland = [
  [-50, 3],
  [50, 3],
  [50, 90],
  [-50, 90],
  [-50, 3],
];
const farAway = island.map(([lng = 0, lat = 0]) => [lng + 90, lat]);
const file: GeoJson = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', geometry: { type: 'Polygon', coordinates: [island] } },
    { type: 'Feature', geometry: null },
    {
      type: 'Feature',
      geometry: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'MultiPolygon', coordinates: [[mainland], [farAway]] },
          { type: 'Point', coordinates: [1, 1] },
        ],
      },
    },
  ],
};

test('the land of every kind of geometry, cut to the box and simplified', () => {
  assert.equal(collectRings(file).length, 3);
  const land = landIn(collectRings(file), [0, 0, 4, 4], 0.01);
  assert.deepEqual(land, [
    island.filter(([lng]) => lng !== 1.5),
    [
      [0, 4],
      [0, 3],
      [4, 3],
      [4, 4],
      [0, 4],
    ],
  ]);
});
