import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  boxBeside,
  DIRECTIONS,
  edgeDistance,
  isInside,
  labelPlaces,
  type Mark,
  markSquare,
  NEAR,
  overlap,
  pointsBetween,
  type Room,
  spread,
  touches,
} from './label-placement.ts';

const within = { x: 0, y: 0, width: 360, height: 260 };
const tools = { x: 195, y: 0, width: 165, height: 48 };
const room: Room = { within, reserved: [tools], height: 15, reaches: [0, 3, 8, 14], tries: 4, nearerBy: 1 };
const markAt = (x: number, y: number, width = 60): Mark => ({ x, y, origin: { x, y }, radius: 8, width });

const manyMarks = fc
  .array(
    fc.record({
      x: fc.integer({ min: 12, max: 348 }),
      y: fc.integer({ min: 12, max: 248 }),
      width: fc.integer({ min: 10, max: 120 }),
      radius: fc.constantFrom(5.6, 8.5, 11.2),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => {
    const dots = spread(all, 26, within);
    return all.map(({ x, y, ...one }, at): Mark => ({ ...one, origin: { x, y }, ...(dots[at] ?? { x, y }) }));
  });

/** At the edge of what a label can reach, a mark that lies outside of it. */
const justOutside: Mark[] = [
  { ...markAt(12, 35, 10), radius: 8.5 },
  { ...markAt(53, 77, 10), radius: 5.6 },
  { ...markAt(31, 91, 36), radius: 11.2 },
  { ...markAt(43, 114, 10), radius: 8.5 },
];

test('no label covers a label, a mark, the line of a mark that was moved or what is reserved, and no line crosses them', () => {
  fc.assert(
    fc.property(manyMarks, fc.integer({ min: 1, max: 30 }), (marks, count) => {
      const labelled = marks.slice(0, count);
      const places = labelPlaces(labelled, marks, room);
      assert.equal(places.length, labelled.length);
      for (const [at, place] of places.entries()) {
        if (!place) continue;
        const own = marks[at] as Mark;
        assert.ok(isInside(place.box, within) && !overlap(place.box, tools) && !touches(tools, place.line));
        assert.equal(
          place.line.length > 0,
          edgeDistance(own, place.box) > NEAR,
          'a line where it is not near',
        );
        for (const mark of marks) {
          assert.ok(!overlap(place.box, markSquare(mark)));
          assert.ok(!touches(place.box, pointsBetween(mark.origin, mark)));
          if (mark === own) continue;
          assert.ok(!touches(markSquare(mark), place.line));
          assert.ok(edgeDistance(mark, place.box) > Math.min(NEAR, edgeDistance(own, place.box)));
        }
        for (const other of places.slice(at + 1))
          if (other)
            assert.ok(
              !overlap(place.box, other.box) &&
                !touches(place.box, other.line) &&
                !touches(other.box, place.line),
            );
      }
    }),
    { numRuns: 60, examples: [[justOutside, 3]] },
  );
});

test('a label alone stands right of its mark, at the edge left of it, and under the tools below', () => {
  const placed = (mark: Mark) => labelPlaces([mark], [mark], room)[0]?.box;
  for (const [mark, direction] of [
    [markAt(100, 100), 0],
    [markAt(340, 100), 1],
    [markAt(280, 54, 150), 3],
  ] as const)
    assert.deepEqual(placed(mark), boxBeside(mark, 15, DIRECTIONS[direction] as number));
});

test('a place that is given is kept while it is free, also where a nearer one is', () => {
  const kept = { x: 90, y: 140, width: 60, height: 15 };
  const mark = { ...markAt(100, 100), kept };
  assert.equal(labelPlaces([mark], [mark], room)[0]?.box, kept);
  const other = markAt(120, 150);
  const [place] = labelPlaces([mark], [mark, other], room);
  assert.ok(place && place.box !== kept && place.line.length === 0);
});

test('more orders never give worse places', () => {
  const cost = (marks: Mark[], tries: number) =>
    labelPlaces(marks, marks, { ...room, tries }).reduce((sum, place) => sum + (place?.distance ?? 40), 0);
  fc.assert(
    fc.property(manyMarks, (marks) => {
      assert.ok(cost(marks, 6) <= cost(marks, 1));
    }),
    { numRuns: 20 },
  );
});
