import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../test/support/answers/ask-operation.ts';
import { operations } from '../all.ts';
import { describeFor } from './city-descriptions.ts';

test('descriptions have the words of the city, and none of another', () => {
  const munster = { ...city.city, name: 'Münster', time_zone: 'Europe/Berlin', locale: 'en-GB' };
  const published = JSON.stringify(
    describeFor(operations, munster).map(({ description, input }) => ({ description, input })),
  );
  const answers = JSON.stringify(describeFor(operations, munster).map(({ output }) => output()));
  assert.doesNotMatch(answers, /\{zone\}|\{city\}/);
  assert.match(published, /Composed at 08:30 local time;/);
  assert.match(published, /ISO week in Münster, such as/);
  assert.doesNotMatch(published, /\{zone\}|\{city\}|SGT|Singapore(?! dollars)/);
  assert.match(JSON.stringify(describeFor(operations, city.city)), /Composed at 08:30 SGT;/);
});
