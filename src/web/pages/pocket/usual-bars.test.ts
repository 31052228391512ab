import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calmBand } from '../../../domain/atmosphere/calm-band.ts';
import { dayNames } from '../../../domain/time/periods.ts';
import { singapore } from '../../../domain/time/zones.fixture.ts';
import type { Site } from '../../parts/page.ts';
import type { PocketAnswers } from './question.ts';
import { barsPath, shownLevel, usualBars } from './usual-bars.ts';

type Week = PocketAnswers['week'];

/** Wednesday 12:15. The usual calm is 0.5, but 0.3 from 18:00 to 20:00; hours of weekdays that are not listed are not known. */
const week = (given: Partial<Week['today']> = {}, known: readonly string[] = dayNames): Week => ({
  pocket_id: 'holland',
  as_of: '2026-11-11T04:15:00.000Z',
  usual: dayNames.flatMap((weekday) =>
    Array.from({ length: 24 }, (_, hour) => ({
      weekday,
      hour,
      usual_calm: known.includes(weekday) ? (hour === 18 || hour === 19 ? 0.3 : 0.5) : null,
      readings: known.includes(weekday) ? (hour === 18 ? 32 : 12) : 4,
    })),
  ),
  today: {
    date: '2026-11-11',
    weekday: 'wednesday',
    holiday: null,
    hours: [
      { hour: 11, calm: 0.8, readings: 4 },
      { hour: 12, calm: 0.2, readings: 2 },
    ],
    ...given,
  },
});
const rendered = (given: Week) => usualBars({ zone: singapore } as Site, { week: given }).markup;
const bars = (markup: string, kind: string) =>
  [...markup.matchAll(new RegExp(`class="${kind}" d="([^"]*)"`, 'g'))].map(
    ([, path = '']) => path.match(/h10/g)?.length ?? 0,
  );

describe('the bars of the usual week', () => {
  test('one choice a weekday; today is chosen, and alone has what was measured and now', () => {
    const markup = rendered(week());
    assert.equal(markup.match(/type=radio/g)?.length, 7);
    assert.match(markup, /id=usual-wednesday aria-label="Wednesday, today" autocomplete=off checked>/);
    assert.equal(markup.match(/ checked>/g)?.length, 1);
    assert.deepEqual(bars(markup, 'usual-bar'), [24, 24, 24, 24, 24, 24, 24]);
    assert.deepEqual(bars(markup, 'today-bar'), [2]);
    // The middle of the bar of 12:00.
    assert.match(markup, /class="now-mark" d="M228 14V145"\/><text x="228"[^>]*>now</);
  });

  test('say in words when it is busiest, and how the present hour compares', () => {
    const markup = rendered(week());
    assert.match(
      markup,
      /<b>Monday\.<\/b> Usually busiest 18:00–20:00 \(busy\); calmest 07:00–18:00, 20:00–23:00 \(mixed\)\.</,
    );
    assert.match(markup, /Now, 12:00–13:00: usually mixed, today very busy so far \(n = 2\)\./);
    assert.match(rendered(week({ hours: [] })), /usually mixed, not measured yet today\./);
    assert.doesNotMatch(markup, /public holiday/);
    assert.match(
      rendered(week({ holiday: 'Deepavali' })),
      /Today is a public holiday \(Deepavali\); it is compared with an ordinary Wednesday\./,
    );
  });

  test('the table has the same figures: busy is the opposite of calm, a dash is not known', () => {
    const markup = rendered(week());
    assert.match(markup, /<tr><th scope=row>12:00(<td>50){7}<td>80\n/);
    assert.match(markup, /<tr><th scope=row>18:00(<td>70){7}<td>–\n/);
    assert.match(
      markup,
      /up to 25 very calm, above 25 calm, above 45 mixed, above 60 busy, above 75 very busy/,
    );
    assert.match(markup, /n = 12 to 32/);
  });

  test('under two weeks an hour is a gap, never a bar of no height', () => {
    const markup = rendered(week({}, ['monday']));
    assert.equal(markup.match(/type=radio/g)?.length, 2, 'a weekday of which nothing is known has no choice');
    assert.deepEqual(bars(markup, 'usual-bar'), [24, 0]);
    assert.match(
      markup,
      /<b>Wednesday, today\.<\/b> What is usual is known after two weeks of readings\. Now, 12:00–13:00: the usual is not known yet, today very busy/,
    );
    assert.match(markup, /Hours without a bar have less than two weeks of readings/);
    assert.doesNotMatch(rendered(week()), /without a bar/);
    const path = barsPath([
      { hour: 0, calm: 1 },
      { hour: 1, calm: null },
      { hour: 2, calm: 0 },
    ]);
    assert.equal(path, 'M79 140v-2h10v2m14 0v-122h10v122');
  });

  test('nothing read and nothing known is a sentence', () => {
    const markup = rendered(week({ hours: [] }, []));
    assert.equal(
      markup,
      '<p class="note">How busy it usually is by hour is known after two weeks of readings.</p>',
    );
  });
});

test('no level is rounded into another band', () => {
  assert.deepEqual([null, 0.38, 0.4, 0.399, 1, 0].map(shownLevel), ['–', '62', '60', '60.1', '0', '100']);
  for (let calm = 0; calm <= 1000; calm++) {
    const shown = Number(shownLevel(calm / 1000));
    assert.equal(calmBand(Math.round(1000 - 10 * shown) / 1000), calmBand(calm / 1000), `${calm}`);
  }
});
