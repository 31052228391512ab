import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { senseWords } from '../signals/signal.ts';
import { DAY, iso, MINUTE, SLOT, slotStart } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { parseSenseReport, type SenseReport, type SenseReportInput, sumBySlot } from './sense-report.ts';

const now = Date.parse('2026-11-11T12:30:00+08:00');
const city = { name: 'Singapore', zone: singapore, isPocket: (id: string) => id === 'holland' };
const read = (given: Partial<SenseReportInput> = {}) =>
  parseSenseReport({ pocket_id: 'holland', word: 'calm', at: '12:10', people: '2', ...given }, now, city);

test('a report is parsed, or its fault is named', () => {
  assert.deepEqual(read(), { pocket_id: 'holland', word: 'calm', at: now - 20 * MINUTE, people: 2 });
  const table: [given: Partial<SenseReportInput>, fault: string | null][] = [
    [{ pocket_id: 'nowhere' }, 'unknown pocket: nowhere'],
    [{ pocket_id: 'a\u001b[2Jb' }, 'unknown pocket: a[2Jb'],
    [{ word: 'Calm' }, 'word must be one of calm, busy, social, focused, transitional'],
    [{ word: 'constructor' }, 'word must be one of calm, busy, social, focused, transitional'],
    [{ at: 'noon' }, 'time must be HH:MM or YYYY-MM-DD HH:MM in Singapore, or ISO 8601 with a zone'],
    [{ at: iso(now) }, null],
    [{ at: iso(now + 1) }, 'time must not be in the future'],
    [{ at: iso(now - 7 * DAY + 1) }, null],
    [{ at: iso(now - 7 * DAY) }, 'time must be within the last 7 days'],
    [{ people: '1' }, null],
    [{ people: '500' }, null],
    ...['0', '501', '-1', '1.5', '', '1e2', 'two'].map((people): [Partial<SenseReportInput>, string] => [
      { people },
      'people must be 1-500',
    ]),
  ];
  for (const [given, fault] of table) {
    const sense = read(given);
    assert.equal('fault' in sense ? sense.fault : null, fault, JSON.stringify(given));
  }
});

test('reports of one quarter hour, pocket and word are one row, and every person is counted', () => {
  const report = fc.record({
    pocket_id: fc.constantFrom('holland', 'siglap'),
    word: fc.constantFrom(...senseWords),
    at: fc.integer({ min: now - 4 * SLOT, max: now }),
    people: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(report, { maxLength: 40 }), (reports: SenseReport[]) => {
      const rows = sumBySlot(reports);
      const keys = rows.map(({ slot, pocket_id, word }) => `${slot} ${pocket_id} ${word}`);
      assert.equal(new Set(keys).size, rows.length);
      assert.deepEqual(keys, keys.toSorted());
      for (const { slot, pocket_id, word, people } of rows) {
        const own = reports.filter(
          (one) => slotStart(one.at) === slot && one.pocket_id === pocket_id && one.word === word,
        );
        assert.equal(
          people,
          own.reduce((sum, one) => sum + one.people, 0),
        );
      }
      const all = (of: { people: number }[]) => of.reduce((sum, one) => sum + one.people, 0);
      assert.equal(all(rows), all(reports));
    }),
  );
});
