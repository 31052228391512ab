import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { end, hours, patternTexts, writeFourWeeks } from '../../../test/support/rows/four-weeks.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { NotFound } from '../core/define.ts';
import { getObservedPatterns } from './get-observed-patterns.ts';

const [first] = city.outlets;
assert.ok(first);
const outlet = { ...first, ...hours, active: true };
const { id, pocket_id } = outlet;
const registry = { ...city, outlets: [outlet, { ...outlet, id: 'gone', active: false }] };

describeStores('get_observed_patterns', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeFourWeeks(store, pocket_id, id));
  const ask = (outlet_id: string, now = end + SLOT) =>
    askOperation(getObservedPatterns, store(), now, { outlet_id }, registry);

  test('each pattern with its kind, confidence and basis', async () => {
    const { structured, text } = await ask(id);
    assert.equal(structured.outlet_id, id);
    assert.deepEqual(
      structured.patterns.map(({ kind, text, confidence }) => [kind, text, confidence]),
      [
        ['quiet_window', patternTexts.quiet, 'medium'],
        ['rain_sensitivity', patternTexts.rain, 'medium'],
        ['dna_descriptor', patternTexts.dna, 'high'],
        ['hours_overlap', patternTexts.hours, 'high'],
      ],
    );
    for (const pattern of structured.patterns) {
      const evidence = pattern.kind === 'quiet_window' ? ['window'] : [];
      assert.deepEqual(Object.keys(pattern), ['kind', 'text', 'confidence', 'basis', ...evidence]);
      assert.match(pattern.basis, /^\d+ .*\w$/);
      assert.ok(text.includes(`${pattern.text} confidence ${pattern.confidence}: ${pattern.basis}.`));
    }
    assert.equal(structured.outlet.name, outlet.name);
    assert.equal(structured.decision_support.length, 2);
  });

  test('an outlet without history has none', async () => {
    const { structured, text } = await ask(id, end + 60 * DAY);
    assert.deepEqual(structured.patterns, []);
    assert.equal(text, `'${outlet.name}': too little is known for a pattern.`);
  });

  test('an unknown or inactive outlet is not found', async () => {
    for (const unknown of ['gone', 'atlantis', "' or 1=1 --"]) await assert.rejects(ask(unknown), NotFound);
  });
});
