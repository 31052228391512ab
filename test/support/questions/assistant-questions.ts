// Questions 1 to 10 of docs/questions.md.
import assert from 'node:assert/strict';
import { type Reason, reasonText } from '../../../src/domain/decision/silence-reason.ts';
import { DAY, HOUR, slotStart } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import {
  assertPercent,
  count,
  currentMoments,
  matchGroups,
  PERCENT,
  pocketLine,
  sealedAhead,
  share,
  type TextCheck,
} from './question.ts';

export const assistantQuestions: Record<number, TextCheck> = {
  1: async ([text = ''], recorded) => {
    const listed = [...text.matchAll(/^([a-z]+): ([a-z-]+), calm probability ([\d.]+),/gm)];
    const open = (await currentMoments(recorded)).filter(
      ({ silence_reasons, calm_probability }) => silence_reasons === '[]' && calm_probability >= 0.6,
    );
    assert.ok(open.length);
    assert.deepEqual(
      listed.map(([, pocket, state, probability]) => [pocket, state, Number(probability)]),
      open.slice(0, 3).map((one) => [one.pocket_id, one.primary_state, one.calm_probability]),
    );
    const [rest = ''] = matchGroups(text, /^left out: (.+)\.$/m);
    const left = [...rest.matchAll(/(?:^|; )(\d+) /g)].reduce((sum, [, n]) => sum + Number(n), 0);
    assert.equal(listed.length + left, recorded.registry.pockets.length, rest);
  },
  2: async ([text = ''], recorded) => {
    const said = await count(
      recorded,
      'select count(*) as n from packages where pocket_id = ? and slot = ?',
      'tiongbahru',
      slotStart(recorded.now),
    );
    const [would, closed = ''] = matchGroups(
      text,
      /^the service itself would (speak|stay silent) in tiongbahru now(?:.*?closed gates: ([a-z_, ]+)\.)?/,
    );
    assert.equal(would === 'speak', said === 1);
    assert.equal(closed === '', would === 'speak');
    const [score, band, recommendation] = matchGroups(
      text,
      /'offer a free table': legitimacy ([\d.]+) of 100, (\w+); recommendation (\w+)\./,
    );
    const moment = (await currentMoments(recorded)).find(({ pocket_id }) => pocket_id === 'tiongbahru');
    const rule =
      Number(score) >= 70
        ? ['legitimate', 'emit']
        : Number(score) >= 40
          ? ['borderline', 'borderline_remain_silent']
          : ['remain_silent', 'remain_silent'];
    assert.equal(band, rule[0]);
    assert.equal(recommendation, moment?.silence_reasons === '[]' ? rule[1] : 'remain_silent');
  },
  3: async ([text = ''], { store, now }) => {
    const [found] = await store.all<{ n: number; hits: number; naive: number }>(
      `select count(*) as n, sum(case when accuracy_score >= 0.5 then 1 else 0 end) as hits,
         sum(case when baseline_score >= 0.5 then 1 else 0 end) as naive
       from revealed_forecasts where pocket_id = 'holland' and generator = 'pocket_projection_180m' and slot > ?
         and accuracy_score is not null`,
      now - 7 * DAY,
    );
    assert.ok(found?.n);
    const told = matchGroups(text, /180 minutes ahead ([\d.]+) of (\d+) \([^)]*naive ([\d.]+)\)/).map(Number);
    assert.deepEqual(told, [share(found.hits, found.n), found.n, share(found.naive, found.n)]);
    assert.match(text, /^holland, forecasts sealed over the last 7d/);
  },
  4: async ([text = ''], recorded) => {
    const { forecast, confidence } = await sealedAhead(recorded, 'joochiat', 120);
    const [state, sure, percent = ''] = matchGroups(
      text,
      /around 14:00 SGT [^(]*?([a-z]+_[a-z]+), [^(]*\(confidence ([\d.]+)\)\. in 120 minutes [a-z ]+ \(([^)]+)\)/,
    );
    assert.deepEqual([state, Number(sure)], [forecast.expected_state.replace('-', '_'), confidence]);
    assertPercent(percent, forecast.calm_probability, 'joochiat');
  },
  5: async ([text = ''], recorded) => {
    const moments = new Map((await currentMoments(recorded)).map((moment) => [moment.pocket_id, moment]));
    const probability = (pocket: string) => moments.get(pocket)?.calm_probability ?? Number.NaN;
    for (const pocket of ['holland', 'dempsey']) {
      const [state, told] = matchGroups(
        text,
        new RegExp(`${pocket} is ([a-z-]+)(?: \\([^)]*\\))?: calm level [\\d.]+, calm probability ([\\d.]+)`),
      );
      assert.deepEqual([state, Number(told)], [moments.get(pocket)?.primary_state, probability(pocket)]);
    }
    const [calmer, other] =
      probability('holland') > probability('dempsey') ? ['holland', 'dempsey'] : ['dempsey', 'holland'];
    assert.match(text, new RegExp(`${calmer} is (?:more likely to be calm|calmer) than ${other}`));
  },
  6: async ([text = ''], recorded) => {
    const moments = new Map((await currentMoments(recorded)).map((moment) => [moment.pocket_id, moment]));
    const speaking = new Set(
      (
        await recorded.store.all<{ pocket_id: string }>(
          'select pocket_id from packages where slot <= ? and expires_at > ?',
          recorded.now,
          recorded.now,
        )
      ).map(({ pocket_id }) => pocket_id),
    );
    for (const { id } of recorded.registry.pockets) {
      const line = pocketLine(text, id);
      const [now = '', ahead = '', voice] = matchGroups(
        line,
        new RegExp(`calm \\(${PERCENT.source}\\), in an hour ${PERCENT.source}; (speaking|silent)$`),
      );
      assertPercent(now, moments.get(id)?.calm_probability ?? Number.NaN, line);
      assertPercent(ahead, (await sealedAhead(recorded, id, 60)).forecast.calm_probability, line);
      assert.equal(voice === 'speaking', speaking.has(id), line);
    }
  },
  7: async ([silence = '', explained = ''], { store, now }) => {
    const stored = await store.get<{ reason: Reason }>(
      "select reason from silences where pocket_id = 'holland' and slot = ?",
      slotStart(now),
    );
    const reason = reasonText[stored?.reason ?? assert.fail('holland is not silent')];
    assert.ok(silence.startsWith('holland: ') && silence.includes(reason), silence);
    assert.ok(
      explained.startsWith(`holland at 12:00 SGT on 2026-11-11: nothing was said, because ${reason}.`),
      explained,
    );
  },
  8: ([found = '', moment = ''], { registry }) => {
    assert.ok(!registry.pockets.some(({ name }) => name === 'Tanjong Pagar'));
    assert.match(found, /^no pocket matched 'Tanjong Pagar'/);
    assert.match(
      moment,
      /^no moment composable for tanjong pagar — substrate may be thin\.\nno pocket has the id /,
    );
  },
  9: async ([text = ''], recorded) => {
    const said = await recorded.store.all<{ slot: number; pocket_id: string; composed_text: string }>(
      'select slot, pocket_id, composed_text from packages where slot > ? and slot <= ? order by slot desc',
      recorded.now - DAY,
      recorded.now,
    );
    assert.ok(said.length);
    const [total, shown] = matchGroups(
      text,
      /newest first: (\d+)(?:, the last (\d+) here and all at \S+)?$/m,
    );
    const both = await count(
      recorded,
      'select count(*) as n from packages where slot >= ? and slot <= ?',
      // Midnight of yesterday.
      recorded.now - 36 * HOUR,
      recorded.now,
    );
    assert.equal(Number(total), both);
    for (const { slot, pocket_id, composed_text } of said.slice(0, Number(shown ?? total))) {
      const time = `${singapore.localDate(slot)} ${singapore.clockWithZone(slot)}`;
      assert.ok(
        text.includes(`\n${time}, ${pocket_id}: '${composed_text}'`),
        `${time} ${pocket_id}: ${text}`,
      );
    }
  },
  10: async ([text = ''], { store, now }) => {
    const live = await store.all<{ pocket_id: string }>(
      `select pocket_id from brief_answers where answer = 'accepted' and window_start <= ? and window_end > ?
       order by window_end, pocket_id`,
      now,
      now,
    );
    assert.ok(live.length);
    assert.match(text, new RegExp(`^confirmed and live: ${live.length}, `));
    const listed = [...text.matchAll(/^([a-z]+): until \d\d:\d\d SGT, /gm)].map(([, pocket]) => pocket);
    assert.deepEqual(
      listed.toSorted(),
      live
        .map(({ pocket_id }) => pocket_id)
        .slice(0, listed.length)
        .toSorted(),
    );
  },
};
