import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type EpisodeSchedule, episodeAt } from './episodes.ts';

const pattern: EpisodeSchedule = { every: 40, chance: 0.2, shortest: 2, longest: 20 };

test('every quarter of an episode gives the same episode', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 4_000_000 }), (seed, quarter) => {
      const episode = episodeAt(seed, quarter, { ...pattern, chance: 1 });
      if (!episode) return;
      assert.ok(quarter >= episode.start && quarter < episode.start + episode.length);
      assert.ok(episode.length >= 2 && episode.length <= 20);
      const first = episodeAt(seed, episode.start, { ...pattern, chance: 1 });
      assert.ok(first && first.start <= episode.start);
    }),
  );
});

test('episodes take the share of time that their schedule gives', () => {
  const quarters = Array.from({ length: 100_000 }, (_, i) => i);
  const share = quarters.filter((quarter) => episodeAt(1, quarter, pattern)).length / quarters.length;
  const meanLength = 18 / Math.log(10);
  assert.ok(Math.abs(share - (0.2 * meanLength) / 40) < 0.006, `${share}`);
});

test('episodes begin only within their range', () => {
  const evenings: EpisodeSchedule = { every: 96, chance: 1, shortest: 1, longest: 4, between: [72, 80] };
  for (let quarter = 0; quarter < 9600; quarter++) {
    const episode = episodeAt(2, quarter, evenings);
    if (episode) assert.ok(episode.start % 96 >= 72 && episode.start % 96 < 80);
  }
});
