import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressFor, curlCommand } from './commands.ts';

test('parameters of the path are filled in, the others are the query, and empty ones are left out', () => {
  assert.equal(addressFor('/api/moment', {}), '/api/moment');
  assert.equal(
    addressFor('/api/moment', { pocket: 'a b', limit: 5, format: '' }),
    '/api/moment?pocket=a+b&limit=5',
  );
  assert.equal(addressFor('/api/ledger/tile/{path}', { path: '0/000' }), '/api/ledger/tile/0/000');
  assert.equal(
    addressFor('/api/explanations/{id}', { id: 'silence:x?y' }),
    '/api/explanations/silence%3Ax%3Fy',
  );
});

test('the shell passes on any value unchanged', () => {
  const hostile = fc.string({
    unit: fc.constantFrom("'", '"', '$', '`', '\\', ';', ' ', '\n', '&', '<', 'é', 'a'),
  });
  fc.assert(
    fc.property(hostile, hostile, (id, text) => {
      const url = `http://localhost${addressFor('/api/{id}', { id, q: text })}`;
      const command = curlCommand({ method: 'POST', url, body: { text } });
      const shown = execFileSync('sh', ['-c', command.replace('curl', `printf '%s\\0'`)]).toString();
      const parts = shown.split('\0');
      assert.deepEqual(parts.slice(0, 4), ['-s', '-X', 'POST', url]);
      assert.deepEqual(JSON.parse(parts[7] ?? ''), { text });
    }),
    { numRuns: 30 },
  );
});
