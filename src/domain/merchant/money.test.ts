import assert from 'node:assert/strict';
import { test } from 'node:test';
import { voiceFaults } from '../text/voice.ts';
import { amountText, inSgd, moneyText } from './money.ts';

test('amounts have the decimals of their currency, and pass the voice rules', () => {
  const table: [amount: number, currency: string, text: string][] = [
    [12.5, 'SGD', 'SGD 12.50'],
    [0, 'EUR', 'EUR 0.00'],
    [1200, 'JPY', 'JPY 1200'],
    [1.25, 'KWD', 'KWD 1.250'],
  ];
  for (const [amount, currency, text] of table) {
    assert.equal(moneyText(amount, currency), text);
    assert.deepEqual(voiceFaults(`about ${text}, or ${amountText(amount, currency)} ${currency}.`), []);
  }
  assert.deepEqual(voiceFaults('EUR is said of nothing'), ['is not lowercase']);
});

test('a field named _sgd is null in another currency', () => {
  assert.deepEqual([inSgd('SGD', 1), inSgd('SGD', 0), inSgd('EUR', 1)], [1, 0, null]);
});
