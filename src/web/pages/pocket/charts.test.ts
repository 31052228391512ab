import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR, iso, SLOT } from '../../../domain/time/slot.ts';
import { singapore } from '../../../domain/time/zones.fixture.ts';
import { calendarPart } from './calendar.ts';
import { dayChart } from './day-chart.ts';
import { decisionList } from './decisions.ts';
import type { DayAnswer, SignalsAnswer } from './question.ts';
import { signalCharts } from './signal-charts.ts';
import { ageText } from './words.ts';

const MIDNIGHT = Date.parse('2026-11-11T00:00:00+08:00');
const at = (hours: number) => iso(MIDNIGHT + hours * HOUR);

const reading = (hours: number) => ({
  captured_at: at(hours),
  calm: 0.5,
  stress: 0.4,
  social_energy: 0.1,
  productive: 0.2,
  primary_state: 'calm-social' as const,
});

const day = (given: Partial<DayAnswer> = {}): DayAnswer => ({
  pocket_id: 'holland',
  date: '2026-11-11',
  weekday: 'wednesday',
  from: at(0),
  to: at(24),
  as_of: at(12),
  previous_date: null,
  next_date: null,
  reading_count: 3,
  readings: [reading(6), reading(6.25), reading(9)],
  usual: Array.from({ length: 24 }, (_, hour) => ({ at: at(hour), calm: hour === 3 ? null : 0.6 })),
  usually_calm: [],
  now: null,
  decisions: [],
  ...given,
});
const pens = (markup: string, kind: string) =>
  [...(new RegExp(`class="line ${kind}" d="([^"]*)"`).exec(markup)?.[1] ?? '').matchAll(/[ML]/g)].join('');

describe('the chart of a day', () => {
  test('has gaps where nothing was read, and an unknown usual is one too', () => {
    const { markup } = dayChart(day(), [], singapore);
    assert.equal(pens(markup, 'calm'), 'MLM');
    assert.equal(pens(markup, 'usual'), `MLLM${'L'.repeat(19)}`);
    const ticks = [...markup.matchAll(/text-anchor="middle">([\d:]+)</g)].map(([, label]) => label);
    assert.deepEqual(ticks, ['00:00', '06:00', '12:00', '18:00'], 'none is cut off at the end');
  });

  test('marks now, which is not the newest reading, and goes on with the usual', () => {
    const { markup } = dayChart(day(), [], singapore);
    // Noon is the middle of the plot area.
    assert.match(markup, /<line class="rule" x1="257" x2="257"/);
    assert.match(markup, /<th scope=row>13:00<td><td>0\.60<td>Usual, not a forecast\n/);
    const over = dayChart(day({ as_of: at(24), next_date: '2026-11-12' }), [], singapore).markup;
    assert.doesNotMatch(over, /class="rule"|not a forecast</);
  });

  test('reaches over midnight for forecasts, each with its range and its seal', () => {
    const ahead = [1, 2, 3].map((hours) => ({
      at: iso(MIDNIGHT + (23 + hours) * HOUR),
      minutes_ahead: 60 * hours,
      prediction_id: `p${hours}`,
      expected_state: 'calm-restful' as const,
      expected_calm: 0.7,
      calm_probability: 0.8,
      confidence: 0.8,
      likely: { low: 0.6, high: 0.8, n: 40 },
    }));
    const { markup } = dayChart(day({ as_of: at(23), readings: [reading(23)] }), ahead, singapore);
    assert.match(markup, /<td>0\.70 \(0\.60–0\.80\)<td>/);
    assert.match(markup, /<a href="\/ledger\/p3">Forecast: Calm and restful</);
    assert.match(markup, /<tr data-x=456><th scope=row>02:00</);
    assert.equal(pens(markup, 'ahead'), 'MLLL', 'from the newest reading on');
    const late = dayChart(day({ as_of: at(23), readings: [reading(21)] }), ahead, singapore).markup;
    assert.equal(pens(late, 'ahead'), 'MLL', 'a late reading leaves a gap before now');
  });
});

describe('small charts', () => {
  const hour = (hours: number, people: number | null, rain_mm: number | null = 0) => ({
    at: at(hours),
    rain_mm,
    temperature_c: 28,
    traffic_speed_kmh: null,
    people,
    crowd: null,
  });
  const answer: SignalsAnswer = {
    pocket_id: 'holland',
    from: at(0),
    to: iso(MIDNIGHT + 3 * HOUR + SLOT),
    kept_from: null,
    measured: ['rain_mm', 'temperature_c', 'people'],
    hours: [hour(0, 400), hour(1, null), hour(2, 500), hour(3, 600)],
  };

  test('are those that were measured, with a gap where a value is withheld, and end at now', () => {
    const { markup } = signalCharts(answer, '/api/pocket-signals?pocket=holland', singapore);
    assert.equal(markup.match(/<svg/g)?.length, 3);
    assert.doesNotMatch(markup, /Traffic|Crowd/);
    const people = markup.slice(markup.indexOf('aria-label="People'));
    assert.equal(pens(people, 'signal'), 'MML');
    // The quarter of an hour that has passed ends at the right edge.
    assert.match(people, /L456 [\d.]+"/);
  });

  test('share one table, and lead to the data', () => {
    const { markup } = signalCharts(answer, '/api/pocket-signals?pocket=holland', singapore);
    const cells = ['0.0', '28.0', 'none'].map((figure) => `<td class=figures>${figure}`);
    assert.ok(markup.includes(`<th scope=row>01:00${cells.join('')}\n`));
    assert.match(markup, /href="\/api\/pocket-signals\?pocket=holland&amp;format=csv">CSV/);
  });
});

test('the heat map has a row for each day since the first reading, the newest first, and a cell for each hour', () => {
  const calm = (level: number | null) => Array.from({ length: 24 }, (_, hour) => (hour < 12 ? level : null));
  const { markup } = calendarPart({
    pocket_id: 'holland',
    weeks: 4,
    days: [
      { date: '2026-11-09', weekday: 'monday', calm: calm(null) },
      { date: '2026-11-10', weekday: 'tuesday', calm: calm(0.45) },
      { date: '2026-11-11', weekday: 'wednesday', calm: calm(1) },
      { date: '2026-11-12', weekday: 'thursday', calm: calm(null) },
    ],
  });
  const days = [...markup.matchAll(/href="\/pocket\/holland\/([\d-]+)"/g)].map(([, date]) => date);
  assert.deepEqual(days, ['2026-11-12', '2026-11-11', '2026-11-10']);
  assert.equal(markup.match(/<td class=c4>1\.00/g)?.length, 12);
  assert.equal(markup.match(/<td class=c2>0\.45/g)?.length, 12);
  assert.equal(markup.match(/<td>/g)?.length, 48);
});

test('decisions in one sentence each, newest first', () => {
  const run = (hours: number, given: Partial<DayAnswer['decisions'][number]>) => ({
    from: at(hours),
    to: at(hours + 1),
    kind: 'silence' as const,
    reason: 'tense' as const,
    reason_text: 'the pocket is tense',
    text: null,
    explanation: 'https://pocketwatch.test/explanations/silence:x',
    ...given,
  });
  const { markup } = decisionList(
    [
      run(9, {}),
      run(10, { kind: 'emit', reason: null, reason_text: null, text: 'a quiet hour <b>.' }),
      run(11, {
        kind: 'no_moment',
        reason: 'thin_data',
        reason_text: 'too little was observed',
        explanation: null,
      }),
    ],
    singapore,
  );
  const text = markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  assert.equal(
    text,
    ' 11:00–12:00 No decision: too little was observed. 10:00 Said: Why a quiet hour &lt;b&gt;. 09:00–10:00 Not said: the pocket is tense. Why ',
  );
  assert.match(markup, /href="\/explanations\/silence:x"/);
});

test('ages', () => {
  const ages = [
    [0, '0 min'],
    [0.25, '15 min'],
    [2, '2 h'],
    [26.5, '26 h 30 min'],
  ] as const;
  for (const [hours, text] of ages) assert.equal(ageText(at(0), at(hours)), text);
});
