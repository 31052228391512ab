// Documents for programs: llms-full.txt, security.txt, the proof for the MCP registry, and the links to them.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { DAY } from '../../../src/domain/time/slot.ts';
import { callableTools } from '../../../src/operations/core/define.ts';
import { MAX_FULL_TEXT } from '../../../src/web/pages/docs/full-text.ts';
import { ask } from '../../support/services/http-client.ts';
import { getPage } from '../../support/services/pages.ts';
import { startService } from '../../support/services/service.ts';

const ended = { after: after as TestContext['after'] };
const registryAuth = `v=MCPv1; k=ed25519; p=${'B'.repeat(43)}=`;
const { url, service, clock } = await startService(ended, {
  days: 0,
  domain: {
    securityContacts: ['mailto:security@watch.example', 'https://watch.example/report'],
    registryAuth,
    publicUrl: 'https://watch.example',
  },
});

test('llms-full.txt has every tool with its arguments, every address, the terms and the formulas', async () => {
  const { text, headers, status } = await ask(`${url}/llms-full.txt`);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(String(headers['cache-control']), /max-age=300/);
  assert.ok(text.length <= MAX_FULL_TEXT && !text.endsWith('cut off here\n'), `${text.length} characters`);
  const { text: short } = await ask(`${url}/llms.txt`);
  const shared = short.slice(0, short.indexOf('\nThe ledger of forecasts'));
  assert.match(shared, /\/api\/mcp\?toolset=/);
  assert.ok(text.startsWith(shared), 'both begin alike');
  for (const { name, description } of callableTools(service.operations)) {
    assert.ok(text.includes(`\n### ${name}\n`), name);
    assert.ok(text.includes(description), name);
  }
  assert.match(text, /^- pocket_id \(text, 1 to 64 characters, required\): pocket slug/m);
  for (const { rest } of service.operations)
    if (rest)
      assert.ok(
        text.includes(`- ${rest.method ?? 'GET'} ${rest.path.replaceAll(/:(\w+)/g, '{$1}')}: `),
        rest.path,
      );
  for (const heading of ['## Glossary', '## Formulas', '### Calm probability', '### How a pocket feels'])
    assert.ok(text.includes(`\n${heading}\n`), heading);
  // Links to files that only the repository has lead nowhere here.
  assert.doesNotMatch(text, /\]\((?!http)/);
});

test('security.txt names the contacts, an end within a year, and its address', async () => {
  const { text, headers } = await ask(`${url}/.well-known/security.txt`);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  const [, end = ''] = /^Expires: (\S+)$/m.exec(text) ?? [];
  assert.equal(
    text,
    `Contact: mailto:security@watch.example
Contact: https://watch.example/report
Expires: ${end}
Preferred-Languages: en
Canonical: https://watch.example/.well-known/security.txt
`,
  );
  const ahead = Date.parse(end) - clock.now;
  assert.ok(ahead > 90 * DAY && ahead < 365 * DAY, end);
  clock.now += 300 * DAY;
  const later = (await ask(`${url}/.well-known/security.txt`)).text;
  assert.ok(
    Date.parse(/^Expires: (\S+)$/m.exec(later)?.[1] ?? '') > clock.now,
    'it never ends while it is served',
  );
  clock.now -= 300 * DAY;
});

test('the proof for the MCP registry is served as it is set', async () => {
  const { text, headers } = await ask(`${url}/.well-known/mcp-registry-auth`);
  assert.equal(text.trim(), registryAuth);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
});

test('what is not set is a 404 that says which setting is missing', async (t) => {
  const bare = await startService(t, { place: 'none', domain: {} });
  for (const [path, setting] of [
    ['/.well-known/security.txt', 'SECURITY_CONTACT'],
    ['/.well-known/mcp-registry-auth', 'MCP_REGISTRY_AUTH'],
  ]) {
    const { status, json } = await ask(`${bare.url}${path}`);
    assert.equal(status, 404);
    assert.match(json<{ error: string }>().error, new RegExp(`${setting} is not set$`));
  }
  assert.equal((await ask(`${bare.url}/llms-full.txt`)).status, 200);
});

test('without an https address there is no Canonical', async (t) => {
  const domain = { securityContacts: ['mailto:a@b.example'], publicUrl: 'http://watch.example' };
  const plain = await startService(t, { place: 'none', domain });
  assert.doesNotMatch((await ask(`${plain.url}/.well-known/security.txt`)).text, /Canonical/);
});

test('the head of a page leads to them', async () => {
  const { text } = await getPage(`${url}/about`);
  for (const link of [
    '<link rel="alternate" type="text/plain" title="The site as text" href="/llms.txt">',
    '<link rel="alternate" type="text/plain" title="The documentation as text" href="/llms-full.txt">',
    '<link rel="service-desc" type="application/json" href="/openapi.json">',
  ])
    assert.ok(text.includes(link), link);
});
