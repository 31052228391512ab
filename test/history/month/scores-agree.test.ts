// The figures of one moment, as answers over the month publish them: where one calls for the opposite of what was decided,
// the answer that has it says why.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { HOUR } from '../../../src/domain/time/slot.ts';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { getExplanation } from '../../../src/operations/decision/get-explanation.ts';
import type { getPocketSilence } from '../../../src/operations/decision/get-pocket-silence.ts';
import type { getResonance } from '../../../src/operations/decision/get-resonance.ts';
import type { getNetworkNow } from '../../../src/operations/pocket/get-network-now.ts';
import type { getPocketLive } from '../../../src/operations/pocket/get-pocket-live.ts';
import type { getPocketMoment } from '../../../src/operations/pocket/get-pocket-moment.ts';
import type { getPocketMomentQuality } from '../../../src/operations/pocket/get-pocket-moment-quality.ts';
import { ask } from '../../support/services/http-client.ts';
import { monthService } from '../../support/services/month.ts';
import { NOON } from '../../support/services/service.ts';

const { url, store, service, clock } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id);

const get = async <T>(path: string): Promise<T> => {
  const reply = await ask(url + path);
  assert.equal(reply.status, 200, path);
  return reply.json<T>();
};

/** What a figure calls for; null: neither. */
type Call = 'speak' | 'silence' | null;
const ofQuality: Record<string, Call> = {
  silent: 'silence',
  weak: 'silence',
  forming: null,
  decaying: null,
  high_resonance: 'speak',
  peak: 'speak',
};
const ofLegitimacy: Record<string, Call> = {
  remain_silent: 'silence',
  borderline: null,
  legitimate: 'speak',
};
const ofResonance = (score: number): Call => (score >= 0.5 ? 'speak' : 'silence');

/** The published figures that call for the opposite of what was decided, each of which needs a sentence. */
const against = (decided: Call, calls: readonly Call[]): number =>
  calls.filter((call) => call !== null && call !== decided).length;

describe('answers at moments of the month', () => {
  // Thirteen hours apart, so that every hour of the day and of the week is met.
  const times = Array.from({ length: 54 }, (_, n) => NOON - n * 13 * HOUR);
  after(() => {
    clock.now = NOON;
  });
  const seen = { speak: 0, silence: 0, opposed: 0 };

  /**
   * Where nothing is said: a pocket whose scores call for a line, and each second time the next one in turn. They are other
   * pockets from time to time; of the many others that are silent as their scores ask, nothing more would be learned.
   */
  const silentPockets = async (at: number, n: number): Promise<string[]> => {
    const called = await store.all<{ pocket_id: string }>(
      `select m.pocket_id from moments m join silences s on s.slot = m.slot and s.pocket_id = m.pocket_id
       where m.slot = ? and (m.band in ('peak', 'high_resonance') or m.resonance >= 0.5) order by m.pocket_id`,
      at,
    );
    const [next = ''] = n % 2 === 0 ? pockets.slice((n / 2) % pockets.length) : [];
    return [called[n % Math.max(1, called.length)]?.pocket_id ?? '', next];
  };

  test('every score that calls for the opposite of what was decided stands beside the reason', async () => {
    for (const [n, at] of times.entries()) {
      clock.now = at;
      const network = await get<AnswerOf<typeof getNetworkNow>>('/api/network');
      const silent = await silentPockets(at, n);
      const asked = network.pockets
        .filter(({ pocket_id, speaking }) => speaking || silent.includes(pocket_id))
        .map(({ pocket_id }) => pocket_id);
      for (const pocket of asked) {
        const moment = await get<AnswerOf<typeof getPocketMoment>>(`/api/moment?pocket=${pocket}`);
        const quality = await get<AnswerOf<typeof getPocketMomentQuality>>(
          `/api/moment-quality?pocket=${pocket}`,
        );
        const silence = await get<AnswerOf<typeof getPocketSilence>>(`/api/pocket-silence?pocket=${pocket}`);
        if ('available' in moment || 'available' in quality || !('signal_status_code' in silence)) continue;
        const { resonance, ...resonates } = await get<AnswerOf<typeof getResonance>>(
          `/api/resonance?pocket=${pocket}`,
        );
        const live = await get<AnswerOf<typeof getPocketLive>>(`/api/pocket-live?pocket=${pocket}`);
        const row = network.pockets.find(({ pocket_id }) => pocket_id === pocket);
        assert.ok(row && resonance && live.resonance);
        const decided: Call = row.speaking ? 'speak' : 'silence';
        seen[decided] += 1;
        assert.equal(silence.signal_status_code === 'ACTIVE_INTERVENTION', row.speaking, `${pocket} ${at}`);
        const answers: [name: string, disagreements: string[], calls: Call[]][] = [
          ['moment', moment.disagreements, [moment.should_stay_silent ? 'silence' : null]],
          ['quality', quality.disagreements, [ofQuality[quality.band] as Call]],
          ['resonance', resonates.disagreements, [ofResonance(resonance.score)]],
          ['live', live.disagreements, [ofResonance(live.resonance.score)]],
          ...(row.speaking
            ? [
                [
                  'network',
                  row.disagreements,
                  [row.index_band && (ofLegitimacy[row.index_band] as Call)],
                ] as const,
              ]
            : []),
        ].map(([name, said, calls]) => [name as string, [...(said as string[])], [...(calls as Call[])]]);
        for (const [name, said, calls] of answers) {
          const opposed = against(decided, calls);
          seen.opposed += opposed;
          assert.ok(said.length >= opposed, `${name} of ${pocket} at ${new Date(at).toISOString()}`);
        }
      }
    }
    assert.ok(seen.speak >= 20 && seen.silence > 50 && seen.opposed > 50, JSON.stringify(seen));
  });
});

/** So many of them, evenly over the month. */
const everyOf = <T>(all: readonly T[], wanted: number): T[] => {
  const step = Math.ceil(all.length / wanted);
  return all.filter((_, n) => n % step === 0);
};

describe('explanations of the month', () => {
  interface Scores {
    id: string;
    spoke: number;
    mqs_band: string;
    resonance: number;
    legitimacy_score: number;
  }
  const decided = (table: string, spoke: number) =>
    `select d.id, ${spoke} as spoke, m.band as mqs_band, m.resonance, d.legitimacy_score from ${table} d
     join moments m on m.slot = d.slot and m.pocket_id = d.pocket_id`;

  test('no line was said under a resonance of 0.5 or a legitimacy of 70, and its explanation names each score against it', async () => {
    const lines = await store.all<Scores>(decided('packages', 1));
    assert.ok(lines.length > 30);
    for (const { id, resonance, legitimacy_score } of lines)
      assert.ok(resonance >= 0.5 && legitimacy_score >= 70, id);
    const opposed = lines.filter(({ mqs_band }) => ofQuality[mqs_band] === 'silence');
    for (const { id, mqs_band } of everyOf(opposed, 40)) {
      const { disagreements } = await get<AnswerOf<typeof getExplanation>>(`/api/explanations/emit:${id}`);
      assert.match(
        disagreements.join('; '),
        new RegExp(`moment quality is ${mqs_band}, and a line was said`),
      );
    }
  });

  test('where every score called for a line and nothing was said, the explanation names the reason', async () => {
    const silences = await store.all<Scores>(
      `${decided('silences', 0)} where m.band in ('peak', 'high_resonance') or m.resonance >= 0.5 or d.legitimacy_score >= 70
       order by d.slot`,
    );
    assert.ok(silences.length > 300, `${silences.length}`);
    for (const { id, mqs_band, resonance, legitimacy_score } of everyOf(silences, 60)) {
      const { disagreements, reason_text } = await get<AnswerOf<typeof getExplanation>>(
        `/api/explanations/silence:${id}`,
      );
      const calls = [
        ofQuality[mqs_band] as Call,
        resonance >= 0.5 ? ('speak' as const) : null,
        legitimacy_score >= 70 ? ('speak' as const) : null,
      ];
      assert.ok(disagreements.length >= against('silence', calls), id);
      for (const sentence of disagreements) assert.ok(sentence.endsWith(`nothing was said: ${reason_text}`));
    }
  });
});
