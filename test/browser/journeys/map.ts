// The map of the first page: its labels at every zoom, and panning and zooming with keys and fingers.
import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import type { Journey } from './journey.ts';

const LEAST_LABEL = 11;
const spot = (id: string) => `svg.map a[href="#p-${id}"]`;
const readView = async (page: Page): Promise<number[]> =>
  ((await page.locator('svg.map').getAttribute('viewBox')) ?? '').split(' ').map(Number);

interface Measured {
  name: string;
  /** Size of the letters on the screen. */
  size: number;
  box: { left: number; right: number; top: number; bottom: number };
}

/** The labels and marks that can be seen now, and lines of spots whose label is not. */
const measure = (page: Page): Promise<{ labels: Measured[]; marks: Measured[]; loose: Measured[] }> =>
  page.evaluate(`(() => {
    const edge = document.querySelector('svg.map').getBoundingClientRect();
    const isSeen = ({ left, right, top, bottom }) =>
      right > edge.left && left < edge.right && bottom > edge.top && top < edge.bottom;
    const measured = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(element).fontSize) * element.getScreenCTM().d;
      const name = element.closest('a').querySelector('title').textContent;
      return { name, size, box: { left, right, top, bottom } };
    };
    const all = (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => getComputedStyle(element).visibility === 'visible')
        .map(measured)
        .filter(({ box }) => isSeen(box));
    const labels = all('svg.map a text');
    const names = new Set(labels.map(({ name }) => name));
    const loose = all('svg.map .leader').filter(({ name, box }) => Math.max(box.right - box.left, box.bottom - box.top) > 1 && !names.has(name));
    return { labels, marks: all('svg.map .shape, svg.map .ring'), loose };
  })()`);

const meet = ({ box: a }: Measured, { box: b }: Measured): boolean =>
  a.left < b.right - 0.5 && a.right > b.left + 0.5 && a.top < b.bottom - 0.5 && a.bottom > b.top + 0.5;

async function checkLabels(page: Page, step: string): Promise<number> {
  const { labels, marks, loose } = await measure(page);
  assert.deepEqual(
    loose.map(({ name }) => name),
    [],
    `${step}: lines without a label`,
  );
  for (const [at, mark] of marks.entries())
    for (const other of marks.slice(at + 1).filter(({ name }) => name !== mark.name))
      assert.ok(!meet(mark, other), `${step}: the mark of ${mark.name} meets that of ${other.name}`);
  for (const [at, label] of labels.entries()) {
    assert.ok(label.size >= LEAST_LABEL, `${step}: ${label.name} is ${label.size} px`);
    for (const other of [...labels.slice(at + 1), ...marks])
      assert.ok(!meet(label, other), `${step}: ${label.name} meets ${other.name}`);
  }
  return labels.length;
}

interface Finger {
  x: number;
  y: number;
}

/** Moves fingers over the screen, as a touch screen would report it. */
async function swipe(session: CDPSession, from: Finger[], to: Finger[]): Promise<void> {
  const send = (type: string, touchPoints: object[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints } as never);
  const steps = 12;
  await send(
    'touchStart',
    from.map((finger, id) => ({ ...finger, id })),
  );
  for (let step = 1; step <= steps; step++)
    await send(
      'touchMove',
      from.map(({ x, y }, id) => {
        const end = to[id] ?? { x, y };
        return { id, x: x + ((end.x - x) * step) / steps, y: y + ((end.y - y) * step) / steps };
      }),
    );
  await send('touchEnd', []);
}

export const journeys: readonly Journey[] = [
  {
    name: 'labels of the map are large enough and meet nothing, at every zoom',
    on: ['phone', 'desktop'],
    make: async ({ page, url }) => {
      await page.goto(url);
      await page.locator('.map-tools').waitFor();
      assert.ok((await checkLabels(page, 'whole map')) >= 9);
      for (const id of ['holland', 'siglap']) {
        await page.locator(spot(id)).focus();
        for (let step = 1; step <= 7; step++) {
          await page.keyboard.press('+');
          // What is marked shows its label in any case.
          await page.evaluate('document.activeElement.blur()');
          await page.mouse.move(0, 0);
          assert.ok((await checkLabels(page, `${id}, step ${step}`)) >= 1);
          await page.locator(spot(id)).focus();
        }
        await page.keyboard.press('0');
      }
    },
  },
  {
    name: 'see stations and other places once the map is zoomed in, each where its name covers nothing',
    on: ['phone', 'desktop'],
    make: async ({ page, url }) => {
      await page.goto(url);
      await page.locator('.map-tools').waitFor();
      const named = () =>
        page.locator('svg.map .place.shown text').evaluateAll((all) =>
          all.map((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return { name: element.textContent ?? '', size: 0, box: { left, right, top, bottom } };
          }),
        );
      assert.deepEqual(await named(), []);
      for (let step = 1; step <= 6; step++) {
        await page.getByRole('button', { name: 'Zoom in' }).click();
        await page.mouse.move(0, 0);
        const places = await named();
        if (step >= 2) assert.ok(places.length >= (step < 5 ? 5 : 1), `step ${step}: ${places.length}`);
        const { labels, marks } = await measure(page);
        for (const [at, place] of places.entries())
          for (const other of [...places.slice(at + 1), ...labels, ...marks])
            assert.ok(!meet(place, other), `step ${step}: ${place.name} meets ${other.name}`);
      }
      const [, , closest] = await readView(page);
      await page.keyboard.press('+');
      assert.equal((await readView(page))[2], closest, 'zoomed in no farther');
      await page.getByRole('button', { name: 'Reset' }).click();
      assert.deepEqual(await named(), []);
      const credit = await page.locator('.map-card .credit').allTextContents();
      assert.match(credit.join(), /^Coast: .+Stations and other places: Urban Redevelopment Authority/);
    },
  },
  {
    name: 'move and zoom the map with the keyboard',
    make: async ({ page, url }) => {
      await page.goto(url);
      await page.getByRole('button', { name: 'Zoom in' }).focus();
      const whole = await readView(page);
      for (const [key, changed] of [
        ['ArrowRight', 0],
        ['ArrowDown', 1],
        ['+', 2],
      ] as const) {
        const before = await readView(page);
        await page.keyboard.press(key);
        const after = await readView(page);
        assert.notEqual(after[changed], before[changed], key);
      }
      await page.keyboard.press('-');
      assert.equal((await readView(page))[2], whole[2]);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('0');
      assert.deepEqual(await readView(page), whole);
      // The map ends where the land is no longer known, and the key then scrolls the page.
      for (let times = 0; times < 20; times++) await page.keyboard.press('ArrowUp');
      const end = await readView(page);
      await page.keyboard.press('ArrowUp');
      assert.deepEqual(await readView(page), end);
    },
  },
  {
    name: 'move and zoom the map with fingers, and scroll the page over it',
    on: ['phone'],
    make: async ({ page, url }) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
      await page.goto(url);
      await page.locator('.map-tools').waitFor();
      const scrolled = () => page.evaluate('scrollY') as Promise<number>;
      const middle = async (): Promise<Finger> => {
        const box = await page.locator('svg.map').boundingBox();
        assert.ok(box);
        return { x: box.x + box.width / 2, y: box.y + box.height * 0.6 };
      };
      await page.locator('svg.map').scrollIntoViewIfNeeded();
      const whole = await readView(page);
      let at = await middle();

      // Two fingers that part zoom in; the page stays where it is.
      const before = await scrolled();
      await swipe(
        session,
        [
          { x: at.x - 20, y: at.y - 10 },
          { x: at.x + 20, y: at.y + 10 },
        ],
        [
          { x: at.x - 80, y: at.y - 40 },
          { x: at.x + 80, y: at.y + 40 },
        ],
      );
      const zoomed = await readView(page);
      assert.ok((zoomed[2] ?? 0) < 0.5 * (whole[2] ?? 0), `${zoomed}`);
      assert.equal(await scrolled(), before);
      await checkLabels(page, 'after a pinch');

      // One finger sideways moves the map.
      await swipe(session, [at], [{ x: at.x - 90, y: at.y }]);
      const moved = await readView(page);
      assert.ok((moved[0] ?? 0) > (zoomed[0] ?? 0), `${moved}`);
      assert.equal(moved[2], zoomed[2]);

      // One finger up or down scrolls the page, also while the map is zoomed in.
      at = await middle();
      await swipe(session, [at], [{ x: at.x, y: at.y - 150 }]);
      await page.waitForFunction(`scrollY > ${before}`);
      assert.deepEqual(await readView(page), moved);
      await session.detach();
    },
  },
  {
    name: 'see the same pockets in the list and on the map',
    make: async ({ page, url }) => {
      await page.goto(url);
      await page.locator(spot('siglap')).focus();
      await page.locator('#p-siglap.marked').waitFor();
      await page.locator('#p-holland h3 a').focus();
      await page.locator(`${spot('holland')}.marked`).waitFor();
      await page.locator('#p-siglap').hover();
      await page.locator(`${spot('siglap')}.marked`).waitFor();
      await page.locator(`${spot('keongsaik')} .hit`).hover();
      await page.locator('#p-keongsaik.marked').waitFor();
      assert.equal(await page.locator('.marked').count(), 2);
      for (const query of ['?order=name', '?q=lane', '?at=14&intent=quiet-now']) {
        await page.goto(`${url}/${query}`);
        const rows = await page.locator('ol.places > li').evaluateAll((all) => all.map(({ id }) => `#${id}`));
        const spots = await page
          .locator('svg.map a.spot')
          .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
        assert.deepEqual(spots.toSorted(), rows.toSorted(), query);
      }
    },
  },
];
