import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packForecasts, packReadings, unpackForecasts, unpackReadings } from './forecast-wire.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
/** Whatever prototype the objects have. */
const same = (one: unknown, other: unknown) => assert.equal(JSON.stringify(one), JSON.stringify(other));
const maybe = fc.option(number);

test('readings arrive as they were sent', () => {
  const readings = fc.nat(6).chain((columns) =>
    fc.array(
      fc.record({
        value: maybe,
        class: fc.option(fc.nat(20)),
        calm: fc.option(fc.boolean()),
        exogenous: fc.array(maybe, { minLength: columns, maxLength: columns }),
      }),
    ),
  );
  fc.assert(fc.property(readings, (sent) => same(unpackReadings(packReadings(sent)), sent)));
});

test('a reading without a column has nothing in it', () => {
  const bare = { value: null, class: null, calm: null };
  assert.deepEqual(unpackReadings(packReadings([bare])), [{ ...bare, exogenous: [] }]);
  const [none] = unpackReadings(packReadings([bare, { ...bare, exogenous: [1] }]));
  assert.deepEqual(none, { ...bare, exogenous: [null] });
});

test('forecasts arrive as they were made', () => {
  const forecasts = fc.integer({ min: 1, max: 8 }).chain((classes) =>
    fc.array(
      fc.record({
        classes: fc.array(number, { minLength: classes, maxLength: classes }),
        calm: number,
        value: maybe,
        confidence: number,
      }),
    ),
  );
  fc.assert(fc.property(forecasts, (made) => same(unpackForecasts(packForecasts(made)), made)));
});
