import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { outageWords } from '../site/assets.ts';

interface Told {
  online: boolean;
  since: number;
  savedAt: number | null;
  live: boolean;
  timeZone: string | undefined;
  now: number;
}

const outageText = runInNewContext(`${outageWords}\noutageText`, { Intl }) as (told: Told) => string;
const at = Date.parse;
const open: Told = {
  online: true,
  since: at('2026-11-10T16:12:00Z'),
  savedAt: null,
  live: true,
  timeZone: 'Asia/Singapore',
  now: at('2026-11-10T16:31:00Z'),
};
const saved = { ...open, savedAt: at('2026-11-10T13:10:00Z') };

describe('what a page says while the service does not answer', () => {
  const cases: [what: string, told: Told, text: string][] = [
    [
      'an open page',
      open,
      'The service has not answered since 00:12. What it said about the present is hidden until it answers.',
    ],
    [
      'an open page without a connection',
      { ...open, online: false },
      'You are offline. This is what was known at 00:12; what was said about the present is hidden.',
    ],
    [
      'the next day, by the city’s clock',
      { ...open, now: at('2026-11-11T16:00:00Z') },
      'The service has not answered since 11 Nov, 00:12. What it said about the present is hidden until it answers.',
    ],
    [
      'another city',
      { ...open, timeZone: 'Europe/Zurich' },
      'The service has not answered since 17:12. What it said about the present is hidden until it answers.',
    ],
    [
      'a saved page, older than the last answer',
      saved,
      'The service has not answered since 00:12. This page was saved 3 hours ago, on 10 Nov, 21:10. What it said about the present is hidden.',
    ],
    [
      'a saved page without a connection',
      { ...saved, online: false, savedAt: at('2026-11-10T16:30:30Z') },
      'You are offline. This page was saved less than a minute ago, at 00:30. What it said about the present is hidden.',
    ],
    [
      'a saved page about the past',
      { ...saved, live: false, savedAt: at('2026-11-08T16:30:00Z') },
      'The service has not answered since 00:12. This page was saved 2 days ago, on 9 Nov, 00:30. It may be out of date.',
    ],
  ];
  for (const [what, told, text] of cases) test(what, () => assert.equal(outageText(told), text));
});
