import assert from 'node:assert/strict';
import { test } from 'node:test';
import { voiceFaults } from '../text/voice.ts';
import { closedGateText } from './decision-text.ts';
import { gates } from './gates.ts';

test('every gate has a text of its own that passes the voice rules', () => {
  assert.deepEqual(Object.keys(closedGateText), [...gates, 'voice']);
  assert.equal(new Set(Object.values(closedGateText)).size, gates.length + 1);
  for (const text of Object.values(closedGateText)) assert.deepEqual(voiceFaults(text), [], text);
});
