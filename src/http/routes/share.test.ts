import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCardCache } from './share.ts';

test('a picture is drawn once for each content, and only the latest are kept', async () => {
  const drawn: string[] = [];
  const draw = createCardCache(async ({ line }) => {
    drawn.push(line);
    return Buffer.from(line);
  });
  const ask = (line: string) => draw(JSON.stringify({ names: [], line, data: '', calm: null }));
  const [one, same] = await Promise.all([ask('a'), ask('a')]);
  assert.equal(one, same);
  for (let n = 0; n < 63; n++) await ask(`other ${n}`);
  await ask('a');
  assert.equal(drawn.filter((line) => line === 'a').length, 1, 'still kept');
  for (let n = 0; n < 64; n++) await ask(`more ${n}`);
  await ask('a');
  assert.equal(drawn.filter((line) => line === 'a').length, 2, 'drawn again after it was evicted');
});
