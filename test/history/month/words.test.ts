// A simulated month: no text that the service composes names a bare level, and none counts hours in minutes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storyClauses } from '../../../src/domain/narration/live-story.ts';
import { narrativeFormats } from '../../../src/domain/narration/narrative.ts';
import { bareLevelIn } from '../../../src/domain/text/voice.ts';
import { HOUR } from '../../../src/domain/time/slot.ts';
import type { Operation } from '../../../src/operations/core/define.ts';
import { getComposedNarrative } from '../../../src/operations/decision/get-composed-narrative.ts';
import { getLiveMomentStory } from '../../../src/operations/decision/get-live-moment-story.ts';
import { getPocketPackages } from '../../../src/operations/decision/get-pocket-packages.ts';
import { getPocketSilence } from '../../../src/operations/decision/get-pocket-silence.ts';
import { listExplanations } from '../../../src/operations/decision/list-explanations.ts';
import { scoreLegitimacy } from '../../../src/operations/decision/score-legitimacy.ts';
import { getIntent } from '../../../src/operations/merchant/get-intent.ts';
import { comparePockets } from '../../../src/operations/pocket/compare-pockets.ts';
import { getPocketEquilibrium } from '../../../src/operations/pocket/get-pocket-equilibrium.ts';
import { getPocketMomentQuality } from '../../../src/operations/pocket/get-pocket-moment-quality.ts';
import { getStream } from '../../../src/operations/report/get-stream.ts';
import { allStories } from '../../../src/store/decision/testing/all-stories.ts';
import { askOperation } from '../../support/answers/ask-operation.ts';
import { monthService, monthSilences } from '../../support/services/month.ts';
import { NOON } from '../../support/services/service.ts';

const { store, service } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id as string);

/** Fails for a text that a person could not read aloud. */
function readable(text: string): void {
  assert.equal(bareLevelIn(text), null, text);
  for (const [, minutes] of text.matchAll(/\b(\d+) minutes/g)) assert.ok(Number(minutes) <= 90, text);
}

const column = async (table: string, name: string): Promise<string[]> =>
  (await store.all<{ text: string | null }>(`select ${name} as text from ${table}`)).flatMap(
    ({ text }) => text ?? [],
  );

/** Every text within an answer, whatever its name. Versions, ids and addresses are no sentences. */
function textsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return answer.includes(' ') ? [answer] : [];
  return typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(textsIn) : [];
}

describe('what is stored', () => {
  const stored: [table: string, ...columns: string[]][] = [
    ['packages', 'composed_text'],
    ['legitimacy_index', 'reason'],
    ['weekly_reports', 'narrative'],
    ['pocket_reports', 'narrative'],
    ['restraint_reports', 'narrative_top_failure', 'narrative_top_success'],
  ];
  for (const [table, ...columns] of stored)
    test(table, async () => {
      for (const name of columns) {
        const texts = await column(table, name);
        assert.ok(texts.length > 0, name);
        for (const text of texts) readable(text);
      }
    });

  test('live stories', async () => {
    const stories = await allStories(store);
    for (const clause of storyClauses) {
      const texts = stories.flatMap((story) => story[clause] ?? []);
      assert.ok(texts.length > 0, clause);
      for (const text of texts) readable(text);
    }
  });

  test('drafts and reasons of silences', async () => {
    const silences = await monthSilences();
    assert.ok(silences.length > 10_000);
    for (const { candidate_emission_text, reason_text } of silences) {
      readable(candidate_emission_text);
      readable(reason_text);
    }
  });

  test('what sets weeks and months apart', async () => {
    const found = [
      ...(await column('weekly_reports', 'sets_apart')),
      ...(await column('pocket_reports', 'observations')),
    ];
    assert.ok(found.length > pockets.length);
    for (const text of found.flatMap((json) => textsIn(JSON.parse(json)))) readable(text);
  });
});

describe('what is composed when it is asked for', () => {
  /** By day and by night, on and between the half hours. */
  const times = [0, 2.75, 5.5, 13, 19.25].map((hours) => NOON - hours * HOUR);
  const asked: [operation: Operation, given: (pocket: string) => Record<string, unknown>[]][] = [
    [
      getComposedNarrative as Operation,
      (pocket_id) => narrativeFormats.map((format) => ({ pocket_id, format })),
    ],
    [getPocketSilence as Operation, (pocket_id) => [{ pocket_id }]],
    [getLiveMomentStory as Operation, (pocket_id) => [{ pocket_id }]],
    [getPocketPackages as Operation, (pocket_id) => [{ pocket_id }]],
    [getStream as Operation, (pocket_id) => [{ pocket_id, limit: 50 }]],
    [listExplanations as Operation, (pocket_id) => [{ pocket_id }]],
    [getPocketMomentQuality as Operation, (pocket_id) => [{ pocket_id }]],
    [getPocketEquilibrium as Operation, (pocket_id) => [{ pocket_id }]],
    [
      getIntent as Operation,
      (pocket_id) => ['quiet-now', 'rain-friendly', 'late-lunch'].map((slug) => ({ pocket_id, slug })),
    ],
    [comparePockets as Operation, (pocket_id_a) => [{ pocket_id_a, pocket_id_b: 'dempsey' }]],
    [
      scoreLegitimacy as Operation,
      (pocket_id) => [
        { pocket_id, candidate_action: 'lunch_nudge' },
        {
          ...{ pocket_id, candidate_action: 'quiet_work', channel: 'push' },
          user_context: { fatigue_score: 0.9 },
        },
      ],
    ],
  ];
  for (const [operation, given] of asked)
    test(operation.name, async () => {
      // Half of the pockets, the others at the next time.
      for (const [at, now] of times.entries())
        for (const pocket of pockets.filter((_, n) => n % 2 === at % 2))
          for (const about of given(pocket)) {
            const { structured } = await askOperation(operation, store, now, about);
            // Points of a hundred are no level, and are told with their standard error.
            const { compared_with_silence: _points, ...answer } = structured as Record<string, unknown>;
            for (const text of textsIn(answer)) readable(text);
          }
    });
});
