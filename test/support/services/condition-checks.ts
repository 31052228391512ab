// What must hold on single pages while the pipeline stands still, and in a city of thousands of pockets.
import assert from 'node:assert/strict';
import { HOUR } from '../../../src/domain/time/slot.ts';
import type { Started } from './conditions.ts';
import { getPage } from './pages.ts';

const visibleText = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** The rows of the table with this caption, as text. */
function tableRows(html: string, caption: string): string[] {
  const table = html.slice(html.search(new RegExp(`<caption[^>]*>[^<]*${caption}`)));
  const body = table.slice(table.indexOf('<tbody'), table.indexOf('</tbody>'));
  return body
    .split('<tr')
    .slice(1)
    .map((row) => visibleText(`<tr${row}`).trim());
}

export const stoppedCharts = {
  title: 'the age of the newest reading is marked; charts end at now, and what is missing is a gap',
  run: async ({ url, clock }: Started) => {
    const pageAt = async (path: string) => (await getPage(url + path)).text;
    const pocket = await pageAt('/pocket/tiongbahru');
    assert.match(pocket, /class="note old">The newest reading is 5 h old/);
    const [, now = ''] = /<line class="rule" x1="([\d.]+)"/.exec(pocket) ?? [];
    const [, last = ''] = /<path class="line calm" d="[^"]*L([\d.]+) [\d.]+"/.exec(pocket) ?? [];
    assert.ok(Number(last) < Number(now), `the line ends at ${last}, now is at ${now}`);
    assert.match(pocket, /Measured \d\d:\d\d–17:15/);

    // Two days later whole days are missing.
    clock.now += 45 * HOUR;
    const ends = async (path: string, caption: string) => tableRows(await pageAt(path), caption).slice(-3);
    const [eleventh = '', ...missing] = await ends('/silence', 'Silences by day');
    assert.match(eleventh, /^11 Nov 2026 [1-9]/);
    assert.deepEqual(missing, ['12 Nov 2026 not observed', '13 Nov 2026 not observed']);
    const accuracy = await ends('/accuracy', 'Share of state forecasts that came true, by day');
    assert.match(accuracy.at(-1) ?? '', /^13 Nov 2026 too few to say/);
    const status = await pageAt('/status');
    assert.match(status, /Readings have stopped: none for/);
    assert.match(status, /data-first="2026-08-16" data-states="[^"]*rr"/);
    const calendar = tableRows(await pageAt('/pocket/tiongbahru'), 'Mean calm level of each hour');
    assert.deepEqual(calendar.slice(0, 2), ['Fri 13 Nov', 'Thu 12 Nov']);
    assert.match(
      await pageAt('/pocket/tiongbahru'),
      /class="note old">Nothing was read in the last 24 hours/,
    );
    assert.equal((await getPage(`${url}/pocket/tiongbahru/2026-11-12`)).status, 200);
  },
};

export const hundredAtATime = {
  title: 'lists have a hundred entries, and a search',
  run: async ({ url }: Started) => {
    const count = async (path: string, entry: RegExp) => {
      const { status, text } = await getPage(url + path);
      assert.equal(status, 200, path);
      return text.match(entry)?.length ?? 0;
    };
    const lists: [path: string, entry: RegExp][] = [
      ['/', /<li id="p-/g],
      ['/reports', /href="\/reports\/weekly\//g],
      ['/silence', /<tr[^>]*><th[^>]*>(?:<span[^>]*>[^<]*<\/span>)?<a href="\/pocket\//g],
      ['/outlets', /<li><a href="\/outlet\//g],
    ];
    for (const [path, entry] of lists) assert.equal(await count(path, entry), 100, path);
    assert.equal(await count('/?q=Pocket+4321', /<li id="p-pocket-04321"/g), 1);
    assert.equal(await count('/reports?q=pocket+4321', /href="\/reports\/weekly\//g), 1);
    assert.equal(await count('/reports?offset=9950', /href="\/reports\/weekly\//g), 50);
    assert.match((await getPage(`${url}/silence?q=pocket+121`)).text, /1 pocket\.<\/p>/);
    assert.match((await getPage(`${url}/compare`)).text, /Mark other pockets in the list/);
    const sitemap = (await getPage(`${url}/sitemap.xml`)).text;
    assert.ok((sitemap.match(/<url>/g)?.length ?? 0) <= 50_000);
    assert.ok((await getPage(`${url}/llms.txt`)).text.length < 50_000);
  },
};
