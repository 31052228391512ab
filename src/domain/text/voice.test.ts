import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareLevelIn, lineInVoice, voiceFaults, wordCount } from './voice.ts';

test('lines without a fault', () => {
  for (const line of [
    'tiongbahru at 09:45 SGT: lively-social. calm 0.265, stress 0.544.',
    'at 02:30 CEST, until 11:00 AEDT or 05:45 GMT+5:45, nothing is decided.',
    'no MQS data for holland yet — substrate may be thin.',
    "no pocket matched 'Kampong WOW!'. observed pockets include siglap.",
    'status STABLE_CALM since 2026-11-15T01:45:00.000Z, week 2026-W46',
    'see https://example.org/Pocket/A for the whole record',
    '荷兰村 is quiet',
    'a calm hour; the street is slow.\nrain is near.',
  ]) {
    assert.deepEqual(voiceFaults(line), [], line);
    assert.equal(lineInVoice(line), line);
  }
});

test('lines that are withheld, and their fault', () => {
  const table: [line: string, fault: string][] = [
    ['Holland is quiet', 'is not lowercase'],
    ['holland is QUIET', 'is not lowercase'],
    ['quiet now!', 'exclaims'],
    ['quiet now！', 'exclaims'],
    ['visit us while it is quiet', 'calls to action'],
    ['your table is free', 'calls to action'],
    ["don't miss the calm hour", 'calls to action'],
    ['drop by before dinner', 'calls to action'],
    ['   ', 'is empty'],
    ['calm \u202Egnisir', 'holds unprintable characters'],
    ['calm\u0000', 'holds unprintable characters'],
    ['zero\u200Bwidth', 'holds unprintable characters'],
  ];
  for (const [line, fault] of table) {
    assert.deepEqual(voiceFaults(line), [fault], line);
    assert.equal(lineInVoice(line), null, line);
  }
});

test('an emit-style line has at most 18 words', () => {
  const words = (n: number) => Array(n).fill('calm').join(' ');
  assert.equal(wordCount('calm — at 09:45, a slow street'), 6);
  assert.deepEqual(voiceFaults(words(18), 'emit'), []);
  assert.deepEqual(voiceFaults(words(19), 'emit'), ['has more than 18 words']);
  assert.deepEqual(voiceFaults(words(19)), []);
});

test('a bare level is found', () => {
  const table: [line: string, level: string | null][] = [
    ['calm 0.71, for an hour', '0.71'],
    ['stress 1.0', '1.0'],
    ['calmer than usual until about five; 95\u00a0% likely', null],
    ['at 10:15, 20.5 degrees and 12 people', null],
  ];
  for (const [line, level] of table) assert.equal(bareLevelIn(line), level, line);
});
