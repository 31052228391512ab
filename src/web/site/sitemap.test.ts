import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import type { Site } from '../parts/page.ts';
import { sitemap } from './sitemap.ts';

test('of a large city as many pockets are looked at as addresses fit', () => {
  const registry = loadRegistry(cityDir('singapore'));
  let read = 0;
  const pockets = Array.from({ length: 60_000 }, (_, n) => ({
    get id() {
      read += 1;
      return `p${n}`;
    },
  })) as Pocket[];
  const site = {
    baseUrl: 'http://x',
    builtAt: '2026-11-11T04:00:00.000Z',
    registry: { ...registry, pockets },
  };
  const text = sitemap.render(site as unknown as Site, { newest: { captured_at: null }, asked: {} });
  assert.equal(text.match(/<url>/g)?.length, 50_000);
  assert.ok(text.includes('/pocket/p49000<'));
  assert.ok(read <= 50_000, `${read} ids`);
});
