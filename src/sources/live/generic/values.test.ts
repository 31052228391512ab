// Numbers, units and positions as feeds write them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readNumber } from './number.ts';
import { nearestKm, readPosition, splitCoordinates } from './position.ts';
import type { FieldRead, NumberFormat } from './settings.ts';
import { checkUnits, convert } from './units.ts';

describe('a number', () => {
  const cases: [raw: unknown, expected: number | string, meaning?: FieldRead, format?: NumberFormat][] = [
    [3, 3],
    ['3.67', 3.67],
    [' 12 ', 12],
    ['-.5', -0.5],
    ['1e3', 1000],
    [null, 'no_data'],
    [undefined, 'no_data'],
    ['', 'no_data'],
    ['NaN', 'no_data'],
    ['n/a', 'no_data'],
    ['unavailable', 'no_data'],
    ['0x10', 'bad_value'],
    ['12 people', 'bad_value'],
    ['Infinity', 'bad_value'],
    ['1e999', 'bad_value'],
    [Number.NaN, 'no_data'],
    [true, 'bad_value'],
    [{}, 'bad_value'],
    [[3], 'bad_value'],
    [-999, 'no_data', { no_data: [-999] }],
    ['-999.0', 'no_data', { no_data: [-999] }],
    ['kei', 'no_data', { no_data: ['kei'] }],
    [0, 0, { no_data: [''] }],
    ['bes', 0, { texts: { bes: 0 } }],
    [true, 1, { texts: { true: 1, false: 0 } }],
    ['constructor', 'bad_value', { texts: {} }],
    ['1.234,5', 1234.5, {}, { decimal: ',', thousands: '.' }],
    ['1,5', 1.5, {}, { decimal: ',' }],
    ['1.5', 'bad_value', {}, { decimal: ',' }],
    ['1,105', 1105, {}, { thousands: ',' }],
    ['1,10', 'bad_value', {}, { thousands: ',' }],
    ['1,105', 'bad_value'],
    ["12'345", 12345, {}, { thousands: "'" }],
  ];
  for (const [raw, expected, meaning, format] of cases)
    test(`${JSON.stringify(raw)} with ${JSON.stringify({ ...meaning, ...format })}`, () => {
      const { value, fault } = readNumber(raw, meaning, format);
      assert.equal(value ?? fault, expected);
    });
});

describe('a unit', () => {
  const cases: [value: number, from: string, to: string, expected: number | null][] = [
    [50, 'F', 'C', 10],
    [273.15, 'K', 'C', 0],
    [10, 'm/s', 'km/h', 36],
    [10, 'mph', 'km/h', 16.09344],
    [1, 'in', 'mm', 25.4],
    [45, 'percent', 'share', 0.45],
    [0.45, 'share', 'percent', 45],
    [10, 'wmoUnit:km_h-1', 'km/h', 10],
    [0.002, 'unit:m', 'mm', 2],
    [12, 'µg/m³', 'ug/m3', 12],
    [101_325, 'Pa', 'hPa', 1013.25],
    [50, 'FAH', 'C', 10],
    [21, 'ucum:Cel', 'C', 21],
    [10, 'MTS', 'km/h', 36],
    [45, 'P1', 'share', 0.45],
    [1, 'GP', 'ug/m3', 1000],
    [1, 'F', 'mm', null],
    [1, 'furlong', 'mm', null],
    [1, 'constructor', 'mm', null],
    [1, 'ppm', 'ug/m3', null],
  ];
  for (const [value, from, to, expected] of cases)
    test(`${value} ${from} in ${to}`, () => {
      const converted = convert(value, from, to);
      if (expected === null || converted === null) assert.equal(converted, expected);
      else assert.ok(Math.abs(converted - expected) < 1e-9, String(converted));
    });

  test('a mistake in the settings is named', () => {
    assert.throws(() => checkUnits('rain', 'F', 'mm'), /rain cannot be converted from "F" to "mm"/);
    assert.throws(() => checkUnits('rain', undefined, 'furlong'), /unknown unit "furlong"/);
  });
});

describe('a position', () => {
  const münster = [{ lat: 51.96, lng: 7.63 }];
  const cases: [raw: [unknown, unknown], expected: [number, number] | null, fault: boolean][] = [
    [['51.96', '7.63'], [51.96, 7.63], false],
    [[51.96, 7.63], [51.96, 7.63], false],
    [[7.63, 51.96], [51.96, 7.63], true],
    [[103.8, 1.3], [1.3, 103.8], true],
    [[0, 0], null, true],
    [[999, 0], null, true],
    [[null, 7.63], null, true],
    [['', ''], null, true],
    // Far from the city both ways: left as it is given.
    [[10, 20], [10, 20], false],
  ];
  for (const [raw, expected, fault] of cases)
    test(JSON.stringify(raw), () => {
      const reading = readPosition(raw, münster);
      assert.deepEqual(reading.position && [reading.position.lat, reading.position.lng], expected);
      assert.equal(reading.fault, fault);
    });

  test('a list, a text, a GeoJSON point and a feature of one', () => {
    assert.deepEqual(splitCoordinates([7.63, 51.96, 60], 'lng,lat'), [51.96, 7.63]);
    assert.deepEqual(splitCoordinates('(51.96, 7.63)', 'lat,lng'), ['51.96', '7.63']);
    assert.deepEqual(splitCoordinates('POINT (7.63 51.96)', 'lng,lat'), ['51.96', '7.63']);
    assert.deepEqual(
      splitCoordinates({ type: 'Point', coordinates: [7.63, 51.96] }, 'lng,lat'),
      [51.96, 7.63],
    );
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [7.63, 51.96] } };
    assert.deepEqual(splitCoordinates(feature, 'lng,lat'), [51.96, 7.63]);
    assert.deepEqual(splitCoordinates({ type: 'Feature', geometry: null }, 'lng,lat'), [null, null]);
    assert.deepEqual(splitCoordinates('somewhere', 'lat,lng'), [null, null]);
  });

  test('distances hold across the date line', () => {
    assert.ok(nearestKm({ lat: 0, lng: 179.9 }, [{ lat: 0, lng: -179.9 }]) < 30);
  });
});
