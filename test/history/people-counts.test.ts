// A simulated day, asked as an attacker would: no two answers about which words people chose differ by
// one to four people.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { SenseRelease } from '../../src/domain/perception/sense-release.ts';
import { senseWords } from '../../src/domain/signals/signal.ts';
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { lastHours } from '../../src/domain/time/window.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import { getPocketPerception } from '../../src/operations/pocket/get-pocket-perception.ts';
import { allStories } from '../../src/store/decision/testing/all-stories.ts';
import { senseReleasesWithin } from '../../src/store/observation/perception.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import { NOON, startService } from '../support/services/service.ts';

const ended = { after: after as TestContext['after'] };
const { store, service } = await startService(ended);
const pockets = service.registry.pockets.map(({ id }) => id);
type Answer = AnswerOf<typeof getPocketPerception>;
const wordCount = ({ distribution }: Answer, word: (typeof senseWords)[number]): number =>
  distribution?.[word]?.count ?? 0;
const isSmall = (count: number): boolean => Math.abs(count) > 0 && Math.abs(count) < 5;

test('windows that differ by a quarter hour, at either end, differ by nobody or by five and more', async () => {
  let answered = 0;
  for (const pocket_id of pockets.filter((_, at) => at % 3 === 0)) {
    const perception = async (now: number, hours: number): Promise<Answer> =>
      (await askOperation(getPocketPerception, store, now, { pocket_id, hours })).structured;
    for (let hours = 0.5; hours <= 24; hours += 0.25) {
      const window = await perception(NOON, hours);
      const begunLater = await perception(NOON, hours - 0.25);
      const endedEarlier = await perception(NOON - SLOT, hours - 0.25);
      for (const narrower of [begunLater, endedEarlier]) {
        answered += 1;
        // Where nothing is released the total tells how many answered, and nothing of their words.
        if (window.distribution && narrower.distribution)
          assert.ok(!isSmall(window.total - narrower.total), `${pocket_id} ${hours}`);
        for (const word of senseWords)
          assert.ok(
            !isSmall(wordCount(window, word) - wordCount(narrower, word)),
            `${pocket_id} ${hours} ${word}`,
          );
      }
      const inWords = senseWords.reduce<number>((sum, word) => sum + wordCount(window, word), 0);
      const [{ people: all } = { people: 0 }] = await store.all<{ people: number }>(
        'select coalesce(sum(people), 0) as people from citizen_senses where pocket_id = ? and slot > ? and slot <= ?',
        pocket_id,
        NOON - hours * HOUR,
        NOON,
      );
      assert.equal(window.total, window.distribution ? inWords : all);
    }
  }
  assert.ok(answered > 1000);
});

test('most people are counted, although most quarter hours have fewer than five', async () => {
  const from = NOON - DAY;
  const rows = await store.all<{ people: number }>(
    'select sum(people) as people from citizen_senses where slot > ? and slot <= ? group by slot, pocket_id',
    from,
    NOON,
  );
  const said = rows.reduce((sum, { people }) => sum + people, 0);
  assert.ok(rows.filter(({ people }) => people < 5).length > rows.length / 2);
  const releases = await senseReleasesWithin(store, { after: from, until: NOON }, singapore);
  const counted = releases.reduce((sum, { people }) => sum + people, 0);
  assert.ok(counted > 0.75 * said && counted < 1.1 * said, `${counted} of ${said}`);
});

test('the receipts of live stories are sums of the same releases', async () => {
  const stories = (await allStories(store)).filter(({ slot }) => slot > NOON - 6 * HOUR);
  assert.ok(stories.length > 100);
  const bySlot = new Map<number, SenseRelease[]>();
  for (const { slot, pocket_id, receipts } of stories) {
    const releases = bySlot.get(slot) ?? (await senseReleasesWithin(store, lastHours(4, slot), singapore));
    bySlot.set(slot, releases);
    const sum = (word?: string) =>
      releases
        .filter((one) => one.pocket_id === pocket_id && (word === undefined || one.word === word))
        .reduce((people, one) => people + one.people, 0);
    const { people, intents } = receipts;
    assert.equal(people ?? 0, sum());
    for (const { word, people } of intents) assert.equal(people, sum(word));
  }
});

test('only the function that releases words and those that write or remove them name their table', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => readFileSync(join('src', path), 'utf8').match(/citizen_senses|sensed_words/));
  assert.deepEqual(
    files.map((path) => path.replaceAll('\\', '/')).sort(),
    ['operator-senses.ts', 'perception.ts', 'signal-retention.ts', 'snapshots.ts'].map(
      (name) => `store/observation/${name}`,
    ),
  );
});
