import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { end, hours, start, writeFourWeeks } from '../../../test/support/rows/four-weeks.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, iso, SLOT } from '../../domain/time/slot.ts';
import { NotFound } from '../core/define.ts';
import { getOutletWeek } from './get-outlet-week.ts';

const [first] = city.outlets;
assert.ok(first);
const outlet = { ...first, ...hours, active: true };
const { id, pocket_id } = outlet;
const registry = { ...city, outlets: [outlet, { ...outlet, id: 'gone', active: false }] };

describeStores('get_outlet_week', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeFourWeeks(store, pocket_id, id));
  const ask = (outlet_id: string, now: number) =>
    askOperation(getOutletWeek, store(), now, { outlet_id }, registry);
  const lastNoon = start + 27 * DAY + 12 * HOUR;

  test('open or closed with the next change, and the week from what was counted while it was open', async () => {
    const { structured, text } = await ask(id, end + SLOT);
    const { hours: cells, example, ...state } = structured;
    assert.deepEqual(
      [example?.at, example?.basis, example?.use],
      [iso(start + 29 * DAY + 14 * HOUR), 'quiet_window', 0.2],
    );
    assert.deepEqual(state, {
      pocket_id,
      as_of: iso(end + SLOT),
      open_now: false,
      changes_at: iso(start + 28 * DAY + 12 * HOUR),
      days: 28,
      observed_from: iso(start + 12 * HOUR),
      observed_to: iso(end - 6 * HOUR),
    });
    assert.equal(cells.length, 42);
    assert.deepEqual(
      cells.find(({ weekday, hour }) => weekday === 1 && hour === 14),
      { weekday: 1, hour: 14, use: 0.2, n: 16 },
    );
    assert.equal(
      text,
      'the outlet is closed now, and opens at 12:00 SGT. its usual use is known for 42 of the 42 hours in which it is open in a week.',
    );
    const open = await ask(id, lastNoon);
    assert.deepEqual(
      [open.structured.open_now, open.structured.changes_at],
      [true, iso(lastNoon + 6 * HOUR)],
    );
    assert.match(open.text, /^the outlet is open now, until 18:00 SGT\./);
    // Nothing of today is told: the answer is the same before and after a count.
    const later = await ask(id, lastNoon + 3 * HOUR);
    assert.deepEqual(later.structured.hours, open.structured.hours);
  });

  test('without history every hour is unknown, and none is empty', async () => {
    const { structured, text } = await ask(id, end + 60 * DAY);
    assert.deepEqual([structured.observed_from, structured.example], [null, null]);
    assert.ok(structured.hours.every(({ use }) => use === null));
    assert.match(text, /nothing was counted in it while it was open\.$/);
  });

  test('an unknown or inactive outlet is not found', async () => {
    for (const unknown of ['gone', 'atlantis']) await assert.rejects(ask(unknown, end), NotFound);
  });
});
