import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { changingZones, singapore } from '../../domain/time/zones.fixture.ts';
import { duringHours, localSlot } from './local-slot.ts';

const from = Date.parse('2026-01-01T00:00:00Z');
const to = Date.parse('2027-02-01T00:00:00Z');

test('one offset is a plain sum', () => {
  assert.equal(localSlot(singapore, { from, to }), '(slot + 28800000)');
});

describeStores('the local time of a slot', (makePlace) => {
  const store = storeFor(makePlace, async () => undefined);

  test('is that of the zone on either side of every clock change', async () => {
    for (const zone of changingZones) {
      const changes = zone.offsetsBetween(from, to).map((period) => period.from);
      const slots = [...changes, ...changes.map((slot) => slot - SLOT), to - SLOT].filter(
        (slot) => slot >= from,
      );
      const local = localSlot(zone, { from, to });
      const values = slots.map((slot) => `select ${slot} as slot`).join(' union all ');
      const rows = await store().all<{ slot: number; local: number; hour: number }>(
        `select slot, ${local} as local, (${local} / ${HOUR} + 72) % 168 as hour from (${values}) as slots`,
      );
      for (const { slot, local, hour } of rows)
        assert.deepEqual([local, hour], [slot + zone.offset(slot), zone.hourOfWeek(slot)], zone.name);
    }
  });

  test('chooses slots by the hours that the clock shows', async () => {
    for (const zone of changingZones) {
      const changes = zone.offsetsBetween(from, to).map((period) => Math.max(from, period.from));
      const slots = [
        ...new Set(changes.flatMap((slot) => Array.from({ length: 30 }, (_, n) => slot + n * HOUR))),
      ].filter((slot) => slot < to);
      const values = slots.map((slot) => `select ${slot} as slot`).join(' union all ');
      for (const hours of [
        { from: 7, to: 23 },
        { from: 17, to: 26 },
        { from: 0, to: 24 },
      ]) {
        const rows = await store().all<{ slot: number }>(
          `select e.slot from (${values}) as e where e.slot > 0${duringHours(hours, zone, { from, to }, 'e.slot')}`,
        );
        const shown = slots.filter((slot) => {
          const hour = zone.hourOfDay(slot);
          return (hour >= hours.from && hour < hours.to) || hour + 24 < hours.to;
        });
        assert.deepEqual(rows.map(({ slot }) => slot).sort(), shown.toSorted(), zone.name);
      }
    }
  });
});
