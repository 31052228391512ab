import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at } from '../../../test/support/rows/example-moment.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import type { CandidateInput } from '../candidate/candidate.ts';
import { voiceFaults, wordCount } from '../text/voice.ts';
import { MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { narrate, narrativeFormats } from './narrative.ts';

const example: CandidateInput = {
  name: 'Tiong Bahru',
  zone: singapore,
  now: at,
  primary_state: 'calm-productive',
  calm: 0.8,
  usual_calm: 0.5,
  network_calm: 0.6,
  ends_at: at + 36 * MINUTE,
};

test('the five formats of the worked example of docs/formulas.md', () => {
  const lines = Object.fromEntries(narrativeFormats.map((format) => [format, narrate(format, example)]));
  assert.deepEqual(lines, {
    narration: 'tiong bahru is quiet and at work. much calmer than usual. until about half past three.',
    push: 'tiong bahru is quiet and at work; much calmer than usual; until about half past three.',
    microblog:
      '15:00 SGT, tiong bahru is quiet and at work — much calmer than usual. until about half past three.',
    messaging: 'tiong bahru is quiet and at work\nmuch calmer than usual\nuntil about half past three',
    email_para:
      'as of 15:00 SGT, tiong bahru is quiet and at work. it is much calmer than usual. that may last until about half past three.',
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inputs = fc.record({
  zone: fc.constant(singapore),
  // The longest name that a city may give a pocket.
  name: fc.constantFrom('Siglap', 'Chip Bee Gardens', 'W'.repeat(60), '荷'.repeat(60)),
  now: fc.integer({ min: 0, max: 96 * 365 }).map((slots) => at + slots * SLOT),
  primary_state: fc.constantFrom(...primaryStates),
  calm: share,
  usual_calm: fc.option(share),
  network_calm: fc.option(share),
  ends_at: fc.integer({ min: 10, max: 240 }).map((minutes) => at + minutes * MINUTE),
});

test('for any input, each format passes the voice rules and its length limit', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      for (const format of narrativeFormats) {
        const line = narrate(format, input);
        assert.ok(line !== null);
        assert.deepEqual(voiceFaults(line), [], line);
        if (format === 'push') assert.ok(wordCount(line) <= 18);
        if (format === 'microblog') assert.ok([...line].length <= 280);
        if (format === 'messaging') assert.equal(line.split('\n').length, 3);
        if (format === 'email_para') assert.equal(line.match(/\.(?= |$)/g)?.length, 3);
      }
    }),
  );
});

test('a push of more than 18 words is withheld, other formats are not', () => {
  const name = 'a b c d e f g h i j';
  assert.equal(narrate('push', { ...example, name }), null);
  assert.ok(narrate('narration', { ...example, name }));
});
