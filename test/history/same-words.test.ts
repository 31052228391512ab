// The same moment in the same words, over a month: what has turned, every reason of a silence, and counts of outlets by
// day and by night. That all surfaces show the figures of one moment is test/http/pages/same-figures.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calmTurn } from '../../src/domain/atmosphere/calm-text.ts';
import type { Moment } from '../../src/domain/decision/moment.ts';
import { decisionId } from '../../src/domain/decision/silence.ts';
import { type PauseKind, reasonText, type SilenceReason } from '../../src/domain/decision/silence-reason.ts';
import { aboutDuration } from '../../src/domain/text/duration.ts';
import { spokenClock } from '../../src/domain/text/spoken-clock.ts';
import { isOpen } from '../../src/domain/time/opening-hours.ts';
import { HOUR, MINUTE } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import { judgedAt } from '../../src/domain/window/calm-window.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getComposedNarrative } from '../../src/operations/decision/get-composed-narrative.ts';
import type { getExplanation } from '../../src/operations/decision/get-explanation.ts';
import type { getLiveMomentStory } from '../../src/operations/decision/get-live-moment-story.ts';
import type { getPocketCounterfactuals } from '../../src/operations/decision/get-pocket-counterfactuals.ts';
import type { getPocketSilence } from '../../src/operations/decision/get-pocket-silence.ts';
import type { listExplanations } from '../../src/operations/decision/list-explanations.ts';
import type { listSilenceVindications } from '../../src/operations/decision/list-silence-vindications.ts';
import type { getIntent } from '../../src/operations/merchant/get-intent.ts';
import type { getIntentSubstrate } from '../../src/operations/merchant/get-intent-substrate.ts';
import type { getMerchantReadiness } from '../../src/operations/merchant/get-merchant-readiness.ts';
import type { getNetworkNow } from '../../src/operations/pocket/get-network-now.ts';
import type { getPocketMoment } from '../../src/operations/pocket/get-pocket-moment.ts';
import { ask } from '../support/services/http-client.ts';
import { monthService } from '../support/services/month.ts';
import { getPage } from '../support/services/pages.ts';
import { callTool, NOON } from '../support/services/service.ts';

const { url, store, service, clock } = await monthService();
const { registry } = service;
const byPocket = Map.groupBy(
  registry.outlets.filter(({ active }) => active),
  ({ pocket_id }) => pocket_id,
);

interface Place {
  pocket_id: string;
  slot: number;
}
const silences = await store.all<Place & { id: string; reason: SilenceReason; gate: string }>(
  'select id, slot, pocket_id, reason, gate from silences order by slot',
);
const pauses = await store.all<Place & { kind: PauseKind }>(
  'select slot, pocket_id, kind from pauses order by slot',
);
const tool = async <T>(name: string, args: object): Promise<{ answer: T; text: string }> => {
  const { structuredContent, content } = await callTool(url, name, args);
  return { answer: structuredContent as T, text: content[0]?.text ?? '' };
};
const get = async <T>(path: string): Promise<T> => (await ask(url + path)).json<T>();
const pageText = async (path: string) =>
  (await getPage(url + path)).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Times of the last two days, by day and by night, on and between the half hours at which stories are written. */
const times = [0, 5.5, 13, 30].map((hours) => NOON - hours * HOUR);

describe('every surface, at times of a day and a night', () => {
  const at = (now: number) => {
    clock.now = now + 4 * MINUTE;
    return store.all<Moment & { silence_reasons: string }>(
      'select * from moments where slot = ? order by pocket_id',
      now,
    );
  };

  test('says what has turned, and names one window', async () => {
    let stories = 0;
    for (const time of times) {
      const stored = (await at(time)).filter((_, i) => i % 4 === 0);
      assert.ok(stored.length >= 4);
      for (const moment of stored) {
        const { pocket_id, calm_probability, half_life_minutes } = moment;
        const name = `${pocket_id} ${new Date(time).toISOString()}`;
        const turn = calmTurn(moment);
        const { text } = await tool('get_pocket_moment', { pocket_id });
        assert.equal(turn === null, !/\bbut (turning|barely|nearly)\b/.test(text), text);
        const page = await pageText(`/pocket/${pocket_id}`);
        assert.ok(page.includes(`Calm probability ${calm_probability.toFixed(3)} of a calm state`), name);
        if (turn) assert.ok(page.includes(`${turn.charAt(0).toUpperCase()}${turn.slice(1)}.`), name);
        const about = `Half of such states lasted longer than about ${aboutDuration(half_life_minutes)}`;
        assert.ok(page.includes(about), name);
        const { story } = (
          await tool<AnswerOf<typeof getLiveMomentStory>>('get_live_moment_story', { pocket_id })
        ).answer;
        if (story) {
          stories += 1;
          assert.doesNotMatch(
            `${story.why_now} ${story.why_pocket_benefits}`,
            /\d+ minutes|likely at|(level|probability|friction|saturation) \d/,
          );
        }
        const mail = await get<AnswerOf<typeof getComposedNarrative>>(
          `/api/composed-narrative?pocket=${pocket_id}&format=email_para`,
        );
        const spoken = spokenClock(judgedAt(time, moment.window_ends_at), singapore);
        if (mail.line) assert.ok(mail.line.endsWith(`that may last until about ${spoken}.`), mail.line);
      }
    }
    assert.ok(stories > 5, `${stories}`);
    clock.now = NOON;
  });
});

// REASON
test('every surface states the one reason', async (t) => {
  t.after(() => {
    clock.now = NOON;
  });
  // The newest silence of each reason, and a pause of each kind.
  const newest = new Map(silences.map((silence) => [silence.reason, silence]));
  for (const { id, slot, pocket_id, reason, gate } of newest.values()) {
    clock.now = slot;
    const text = reasonText[reason];
    const detail = await get<AnswerOf<typeof getExplanation>>(`/api/explanations/silence:${id}`);
    assert.deepEqual([detail.reason, detail.reason_text, detail.gate_closed], [reason, text, gate], id);
    const page = await getPage(`${url}/explanations/silence:${id}`);
    assert.match(page.text, new RegExp(`The reason: <[^>]*>${RegExp.escape(text)}<`), id);
    const list = await get<AnswerOf<typeof listExplanations>>(
      `/api/explanations?decision_type=silence&pocket=${pocket_id}&limit=1`,
    );
    assert.deepEqual([list.items[0]?.id, list.items[0]?.reason], [`silence:${id}`, reason]);
    assert.ok(list.items[0]?.summary.includes(`: ${text};`), list.items[0]?.summary);
    const told = await callTool(url, 'get_pocket_counterfactuals', { pocket_id, hours: 1 });
    const { entries, reason_texts } = told.structuredContent as AnswerOf<typeof getPocketCounterfactuals>;
    assert.deepEqual([entries[0]?.id, entries[0]?.reason, reason_texts[reason]], [id, reason, text]);
    assert.ok(told.content[0]?.text.includes(text));
    const ledger = await get<AnswerOf<typeof listSilenceVindications>>(
      `/api/silence-vindications?pocket_id=${pocket_id}&since=1h&limit=1`,
    );
    assert.deepEqual([ledger.entries[0]?.reason, ledger.entries[0]?.gate_name], [reason, gate]);
    const asked = await callTool(url, 'get_pocket_silence', { pocket_id });
    const silence = asked.structuredContent as AnswerOf<typeof getPocketSilence>;
    assert.ok('justification' in silence);
    assert.deepEqual([silence.reason, silence.reason_text], [reason, text]);
    assert.ok(silence.justification.includes(text) && asked.content[0]?.text.includes(text), text);
    const read = await callTool(url, 'get_pocket_moment', { pocket_id });
    const moment = read.structuredContent as AnswerOf<typeof getPocketMoment>;
    assert.ok('silence_reasons' in moment);
    assert.equal(moment.silence_reasons[0], gate === 'moment_silence' ? text : undefined);
    const network = await get<AnswerOf<typeof getNetworkNow>>('/api/network');
    assert.equal(network.pockets.find((row) => row.pocket_id === pocket_id)?.silent_because, text);
  }
  for (const kind of ['quiet_hours', 'already_speaking'] as const) {
    const pause = pauses.findLast((row) => row.kind === kind);
    assert.ok(pause);
    clock.now = pause.slot;
    const id = `${kind}:${decisionId(pause.pocket_id, pause.slot)}`;
    const detail = await get<AnswerOf<typeof getExplanation>>(`/api/explanations/${id}`);
    assert.deepEqual([detail.type, detail.decision, detail.reason], [kind, kind, kind]);
    assert.ok((await getPage(`${url}/explanations/${id}`)).text.includes('This does not count as a silence'));
    const list = await get<AnswerOf<typeof listExplanations>>(
      `/api/explanations?pocket=${pause.pocket_id}&limit=1`,
    );
    assert.equal(list.items[0]?.id, id);
    const asked = await callTool(url, 'get_pocket_silence', { pocket_id: pause.pocket_id });
    assert.equal((asked.structuredContent as { reason?: string }).reason, kind);
  }
});

const pick = ({ outlet_count, open_now_count }: { outlet_count: number; open_now_count: number | null }) => ({
  outlet_count,
  open_now_count,
});

test('the intent page, the pocket page, /api/intent and the tool give one count, day and night', async () => {
  const all = registry.intents.filter(({ public_page }) => public_page);
  const asked = new Set<string>();
  const seen = new Set<number | null>();
  for (const now of [NOON, NOON - 8 * HOUR]) {
    clock.now = now;
    for (const [n, { id: pocket }] of registry.pockets.entries()) {
      // Two in turn: the counts are those of the pocket, whichever intent is asked about.
      const intents = [0, 1].flatMap((more) => all[(2 * n + more) % all.length] ?? []);
      const outlets = byPocket.get(pocket) ?? [];
      const open = outlets.filter((outlet) => isOpen(outlet, now, singapore)).length;
      const counts = { outlet_count: outlets.length, open_now_count: open < 5 ? null : open };
      seen.add(counts.open_now_count);
      const openText = counts.open_now_count ?? 'fewer than five';
      const page = (await ask(`${url}/pocket/${pocket}`)).text;
      if (outlets.length)
        assert.match(
          page,
          new RegExp(`>${outlets.length} outlets? here</a><span data-now>, ${openText} open now`),
        );
      else assert.doesNotMatch(page, /outlets? here/);
      const readiness = await get<AnswerOf<typeof getMerchantReadiness>>(
        `/api/merchant-readiness?pocket=${pocket}`,
      );
      assert.deepEqual(pick(readiness), counts);
      for (const { slug } of intents) {
        asked.add(slug);
        const rest = await get<AnswerOf<typeof getIntent>>(`/api/intent?pocket=${pocket}&slug=${slug}`);
        const args = { pocket_id: pocket, slug };
        const tool = (await callTool(url, 'get_intent_substrate', args)).structuredContent as Extract<
          AnswerOf<typeof getIntentSubstrate>,
          { outlet_count: number }
        >;
        assert.deepEqual([pick(rest.pocket), pick(tool)], [counts, counts]);
        assert.equal(rest.match_ratio, tool.match_ratio);
        // Nothing is listed of which no outlet is open.
        if (!open) assert.deepEqual([tool.match_ratio || 0, tool.matched_outlets], [0, []]);
        const intentPage = (await ask(`${url}/pocket/${pocket}/intent/${slug}`)).text;
        assert.match(
          intentPage.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' '),
          new RegExp(`Outlets here ${outlets.length} ${openText} open now`),
        );
      }
    }
  }
  clock.now = NOON;
  assert.equal(asked.size, all.length);
  assert.ok(seen.size > 1);
});
