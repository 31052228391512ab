import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpError } from '../core/errors.ts';
import { errorBody, wantsProblem } from './error-body.ts';

test('problem details are for those who name them, and not more highly something else', () => {
  const yes = [
    'application/problem+json',
    'application/json, Application/Problem+JSON',
    'application/problem+json, */*',
    'application/json;q=0.5, application/problem+json;q=0.5',
    'text/html;q=0.8, application/problem+json',
  ];
  const no = [
    undefined,
    '*/*',
    'application/*',
    'application/json',
    'application/problem+json;q=0',
    'application/json, application/problem+json;q=0.9',
    'text/html, application/problem+json;q=0.9',
    'application/problem+jsonx',
  ];
  for (const accept of yes) assert.equal(wantsProblem(accept), true, accept);
  for (const accept of no) assert.equal(wantsProblem(accept), false, String(accept));
});

test('both bodies say the same', () => {
  const id = '7f1c1d5e-0000-4000-8000-000000000000';
  const error = new HttpError(404, 'unknown pocket: x', { did_you_mean: ['serene'], status: 'not this one' });
  const plain = errorBody(error, '*/*', id);
  assert.equal(plain.type, 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(plain.text), {
    error: 'unknown pocket: x',
    did_you_mean: ['serene'],
    status: 'not this one',
  });
  const problem = errorBody(error, 'application/problem+json', id);
  assert.equal(problem.type, 'application/problem+json');
  assert.deepEqual(JSON.parse(problem.text), {
    did_you_mean: ['serene'],
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'unknown pocket: x',
    instance: `urn:uuid:${id}`,
  });
});
