// The verifier tells waking hours from nights with code of its own: here it is compared with the service's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, SLOT } from '../../src/domain/time/slot.ts';
import { isWaking } from '../../src/domain/time/waking-hours.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { type Served, statedZone, wakingIn } from '../../src/verify/figures/served.ts';

const served = (zone: unknown) => ({ accuracy: { waking: { zone } } }) as unknown as Served;

test('the same quarter hours are waking in every zone, also where clocks change', () => {
  const changes = ['2026-03-29T00:00:00Z', '2026-10-25T00:00:00Z'].map((text) => Date.parse(text));
  for (const name of ['Asia/Singapore', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns']) {
    const [isAwake, zone] = [wakingIn(statedZone(served(name)) ?? ''), timeZone(name)];
    for (const change of changes)
      for (let time = change - DAY; time < change + 2 * DAY; time += SLOT)
        assert.equal(isAwake?.(time / 1000), isWaking(time, zone), `${name} ${new Date(time).toISOString()}`);
  }
});

test('without a zone that exists nothing can be told', () => {
  for (const zone of [undefined, 7, 'Atlantis/Poseidonis']) assert.equal(statedZone(served(zone)), undefined);
});
