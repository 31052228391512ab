// Lists over REST: pages, columns and CSV.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { ask } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const { url } = await startService({ after: after as TestContext['after'] });

test('a list is read page by page over REST, light or heavy, and a tool takes no cursor', async () => {
  interface Page {
    entries: { id: string }[];
    count: number;
    next_cursor: string | null;
  }
  const list = `${url}/api/predictions?pocket=tiongbahru&since=1d`;
  const whole = (await ask(`${list}&limit=500`)).json<Page>();
  assert.equal(whole.next_cursor, null);
  for (const limit of [40, 120]) {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = (await ask(`${list}&limit=${limit}&cursor=${cursor}`)).json<Page>();
      assert.equal(page.count, whole.count);
      ids.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      ids,
      whole.entries.map(({ id }) => id),
    );
  }
  const refused = await ask(`${list}&limit=120&cursor=x`);
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.json(), { error: 'cursor is not one that this address gave: ask without it' });
  // A feed is the newest page, whatever else its address says.
  assert.equal((await ask(`${url}/feed.json?cursor=x&fields=x`)).status, 200);
});
