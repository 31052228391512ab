import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonText, leadText, partsText, serviceLead, splitText } from './accuracy-text.ts';

test('which of the two is ahead, in points of a hundred', () => {
  const of = (service: number | null, naive: number | null) => leadText(service, naive, 'the naive baseline');
  assert.equal(of(0.81, 0.597), 'the service is 21.3 points ahead of the naive baseline');
  assert.equal(of(0.4, 0.55), 'the service is 15.0 points behind the naive baseline');
  assert.equal(of(0.873, 0.873), 'the service is level with the naive baseline');
  assert.equal(of(null, 0.5), null);
  assert.equal(of(0.5, null), null);
});

test('the lead of the service has the sign of leadText, and the other one than the field', () => {
  for (const [service, other] of [
    [0.8, 0.6],
    [0.4, 0.55],
    [0.7, 0.7],
  ] as const) {
    const lead = serviceLead(other - service) ?? Number.NaN;
    const words = leadText(service, other, 'x');
    assert.match(words ?? '', lead > 0 ? /ahead of/ : lead < 0 ? /behind/ : /level with/);
    assert.ok(!Object.is(lead, -0));
  }
  assert.equal(serviceLead(null), null);
});

test('each simple forecast in the order given, without those that are not known', () => {
  const row = {
    name: 'same_hour_last_week',
    accuracy: 0.6,
    n: 50,
    service_accuracy_on_same_rows: 0.75,
  } as const;
  assert.equal(
    comparisonText([
      row,
      { ...row, name: 'persistence', accuracy: null, n: 0 },
      { ...row, name: 'naive', accuracy: 0.8 },
    ]),
    'the service is 15.0 points ahead of the same hour last week (0.6 of 50), 5.0 points behind the naive baseline (0.8 of 50)',
  );
  assert.equal(comparisonText([]), null);
});

test('waking hours and nights', () => {
  const [waking_hours, nights] = [
    { n: 20, accuracy: 0.75 },
    { n: 10, accuracy: 0.9 },
  ];
  const none = { n: 0, accuracy: null };
  assert.equal(partsText({ waking_hours, nights }), 'in waking hours 0.75 of 20, at night 0.9 of 10');
  assert.equal(partsText({ waking_hours, nights: none }), 'in waking hours 0.75 of 20');
  assert.equal(partsText({ waking_hours: none, nights: none }), null);
});

test('how many forecasts were sealed before their outcome', () => {
  const of = (before: number, afterwards: number) =>
    splitText({
      sealed_before_outcome: { n: before, accuracy: before ? 0.8 : null },
      written_afterwards: { n: afterwards, accuracy: afterwards ? 0.75 : null },
    });
  assert.equal(of(0, 0), 'none scored yet');
  assert.equal(of(3, 0), '3 scored, all sealed before their outcome');
  assert.equal(
    of(0, 3),
    '3 scored, none sealed before its outcome: all were written afterwards on a virtual clock',
  );
  assert.equal(
    of(1, 3),
    '4 scored, 1 of them sealed before their outcome (0.8 came true) and 3 written afterwards on a virtual clock (0.75 came true)',
  );
});
