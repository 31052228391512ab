import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import { nowLine, openLine, stateKind } from './place-words.ts';

test('every calm state has the mark of calm, and no other state has', () => {
  for (const state of primaryStates)
    assert.equal(stateKind(state) === 'calm', state.startsWith('calm-'), state);
  assert.equal(stateKind(null), 'unread');
});

test('only a pocket without a usual says that it is not known, read or not', () => {
  const line = (usual_calm: number | null, against_usual: 'calmer' | null) =>
    nowLine({ primary_state: null, calm_level: null, usual_calm, against_usual } as Parameters<
      typeof nowLine
    >[0]).markup;
  assert.match(line(null, null), /Usual not known yet/);
  assert.match(line(0.61, 'calmer'), /Calmer than usual/);
  assert.match(line(0.61, null), /Usually calm/);
});

test('which kinds are open is told, counts only from five on, and closed only where it is known', () => {
  const line = (open_kinds: Parameters<typeof openLine>[0]['open_kinds'], open_count: number | null) =>
    openLine({ open_kinds, open_count })?.markup ?? null;
  assert.equal(line(null, null), null);
  assert.match(line([], null) ?? '', /Everything listed here is closed/);
  assert.match(line(['bakery'], null) ?? '', /^<p class="open">Open: [a-z]+<\/p>$/);
  assert.match(line(['bakery'], 6) ?? '', /\(6 places\)/);
});
