// The registry's footfall_peak is what the simulated city shows: no ordinary hour exceeds it, an event may.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { simulatedCity } from './city.ts';
import { mean, singaporeTime } from './tiny-city.fixture.ts';

test('the mean footfall of no hour of the week exceeds the ordinary peak of its pocket', () => {
  const registry = loadRegistry(cityDir('singapore'));
  const peaks = new Map(registry.pockets.map(({ id, character }) => [id, character.footfall_peak]));
  const city = simulatedCity(registry);
  const start = singaporeTime('2026-10-01T00:00:00');
  const hours = new Map<string, number[]>();
  let extraordinary = 0;
  for (let slot = start; slot < start + 42 * 24 * HOUR; slot += SLOT) {
    for (const { kind, pocket_id, value } of city.signalsAt(slot)) {
      if (kind !== 'footfall') continue;
      const share = value / (peaks.get(pocket_id) ?? Number.NaN);
      const key = `${pocket_id}, hour ${Math.floor((slot - start) / HOUR) % 168} of the week`;
      const values = hours.get(key);
      if (values) values.push(share);
      else hours.set(key, [share]);
      if (share > 1.1) extraordinary++;
    }
  }
  assert.equal(hours.size, 168 * registry.pockets.length);
  const highest = new Map<string, number>();
  for (const [key, values] of hours) {
    const level = mean(values);
    assert.ok(level <= 1, `${key}: ${level}`);
    const [pocket = ''] = key.split(',');
    highest.set(pocket, Math.max(level, highest.get(pocket) ?? 0));
  }
  for (const [pocket, level] of highest)
    assert.ok(level > 0.55, `${pocket} never comes near its peak: ${level}`);
  assert.ok(extraordinary > 0, 'an event still exceeds the peak, which spillover depends on');
});
