// What callers send comes back without control and bidirectional characters: over every tool, REST address and page,
// in answers and in errors.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '../../../src/operations/core/define.ts';
import { dynamicPages } from '../../../src/web/pages/all.ts';
import { argumentsFor } from '../../support/answers/operation-answers.ts';
import { ask, post } from '../../support/services/http-client.ts';
import { rpc, startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });

/** Bidirectional controls and invisible characters, and every control character but NUL, which is refused by itself. */
const hidden = [
  ...Array.from({ length: 31 }, (_, n) => n + 1),
  ...Array.from({ length: 33 }, (_, n) => n + 0x7f),
  ...[0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCodePoint(code));
const [HEAD, TAIL] = ['zqa', 'zqb'];
/** Texts that are seen as `zqazqb`. */
const texts = fc
  .array(fc.constantFrom(...hidden), { minLength: 1, maxLength: 4 })
  .map((found) => `${HEAD}${found.join('')}${TAIL}`);

/** Our own texts have line ends, so one that is the caller's is told by the letters around it. */
const isForbidden = (text: string): boolean =>
  hidden.some((character) => character !== '\n' && text.includes(character)) || /zqa\n|\nzqb/.test(text);

function assertPlain(value: unknown, at: string): void {
  if (typeof value === 'string') assert.ok(!isForbidden(value), `${at}: ${JSON.stringify(value)}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      assertPlain(key, at);
      assertPlain(inner, `${at}.${key}`);
    }
}
const forEach = (check: (text: string) => Promise<void>) =>
  fc.assert(fc.asyncProperty(texts, check), { numRuns: 4 });

const takesText = ({ input }: Operation) =>
  Object.entries(input.properties).flatMap(([name, schema]) =>
    'type' in schema && schema.type === 'string' && !('enum' in schema) ? [name] : [],
  );

let echoes = 0;
for (const operation of service.operations)
  describe(operation.name, () => {
    for (const name of [...takesText(operation), 'no_such_argument'])
      test(name, () =>
        forEach(async (text) => {
          const known = argumentsFor(operation, service);
          const given = name === 'no_such_argument' ? { ...known, [text]: text } : { ...known, [name]: text };
          if (operation.toolsets) {
            const { result } = await rpc(url, 'tools/call', { name: operation.name, arguments: given });
            assertPlain(result, 'tool');
            if (JSON.stringify(result).includes(HEAD + TAIL)) echoes += 1;
          }
          const { rest } = operation;
          if (!rest) return;
          if (rest.method === 'POST') return assertPlain((await post(url + rest.path, given)).json(), 'post');
          const query = new URLSearchParams(
            Object.entries(given).flatMap(([argument, value]) =>
              typeof value === 'object'
                ? []
                : [[rest.names?.[argument] ?? argument, String(value)] as [string, string]],
            ),
          );
          const path = rest.path.replace(/:(\w+)/g, (_, part) =>
            encodeURIComponent(String(given[part] ?? text)),
          );
          const reply = await ask(`${url}${path}?${query}`);
          if (/json/.test(reply.headers['content-type'] ?? '')) assertPlain(reply.json(), path);
          else assertPlain(reply.text, path);
        }),
      );
  });

test('answers do repeat what they were asked', () => assert.ok(echoes > 100, `${echoes}`));

describe('pages', () => {
  for (const { path } of dynamicPages)
    test(path, () =>
      forEach(async (text) => {
        const shown = path.replace(/:(\w+)/g, encodeURIComponent(text));
        const query = new URLSearchParams(
          [
            'q',
            'pocket',
            'pocket_id',
            'pockets',
            'from',
            'to',
            'type',
            'window',
            'since',
            'name',
            'category',
          ].map((name) => [name, text] as [string, string]),
        );
        for (const address of [
          `${url}${shown}`,
          `${url}${shown}?${query}`,
          `${url}${path}?q=${encodeURIComponent(text)}`,
        ])
          assertPlain((await ask(address)).text, address);
      }),
    );
});

test('names of tools, methods and addresses that do not exist', () =>
  forEach(async (text) => {
    assertPlain(await rpc(url, 'tools/call', { name: text, arguments: {} }), 'tool');
    assertPlain(await rpc(url, text), 'method');
    for (const path of ['/', '/api/', '/api/ledger/proof/', '/docs/', '/pocket/'])
      assertPlain((await ask(url + path + encodeURIComponent(text))).text, path);
  }));
