import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarLinks } from './calendar-links.ts';

test('a calendar is subscribed to by its own scheme, or through the address of a calendar service', () => {
  for (const scheme of ['http', 'https'])
    assert.deepEqual(
      calendarLinks(`${scheme}://pocketwatch.test:8080/sub`, 'holland').map(({ address }) => address),
      [
        'webcal://pocketwatch.test:8080/sub/pocket/holland/calm.ics',
        'https://calendar.google.com/calendar/render?cid=webcal%3A%2F%2Fpocketwatch.test%3A8080%2Fsub%2Fpocket%2Fholland%2Fcalm.ics',
        `https://outlook.live.com/calendar/0/addfromweb?url=${scheme}%3A%2F%2Fpocketwatch.test%3A8080%2Fsub%2Fpocket%2Fholland%2Fcalm.ics`,
      ],
    );
});
