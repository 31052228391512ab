// Numbers, units, positions and ids as feeds write them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type NumberFormat, type NumberMeaning, parseNumber } from './number.ts';
import { parsePlaceId } from './place-id.ts';
import { readPosition, rowPosition, splitCoordinates } from './position.ts';
import { checkUnits, convert } from './units.ts';

describe('a number', () => {
  const cases: [raw: unknown, expected: number | string, meaning?: NumberMeaning, format?: NumberFormat][] = [
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
    ['Nil', 'no_data'],
    ['-', 'no_data'],
    [0, 0],
    ['0', 0],
    ['-1.5e2', -150],
    // Some programs write out every digit.
    ['0.1000000000000000055511151231257827', 0.1],
    ['1,5', 'bad_value'],
    ['12 mm', 'bad_value'],
    [-999, -999],
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
      assert.equal(parseNumber(raw, meaning, format), expected);
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
    [[40.4, -3.7], [40.4, -3.7], false],
    // 300 km away, a place of the country; 300 km from where the exchanged pair lies, none of this city either.
    [[49.4, 9], [49.4, 9], false],
    [[9.5, 53.5], [9.5, 53.5], false],
  ];
  for (const [raw, expected, fault] of cases)
    test(JSON.stringify(raw), () => {
      const position = expected && { lat: expected[0], lng: expected[1] };
      assert.deepEqual(readPosition(...raw, münster), { position, fault });
      // The row that was read is judged again before it is stored, and nothing changes any more.
      if (position) assert.deepEqual(rowPosition(position, münster), { position, fault: false });
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

  test('of a city that lies near its own exchanged coordinates is never exchanged', () => {
    const abuja = [{ lat: 9.06, lng: 7.49 }];
    const makurdi = { lat: 7.73, lng: 8.53 };
    assert.deepEqual(rowPosition(makurdi, abuja), { position: makurdi, fault: false });
  });

  test('that is absent from a row was counted when the row was read', () => {
    assert.deepEqual(rowPosition({ lat: null, lng: null }, münster), { position: null, fault: false });
    assert.deepEqual(rowPosition({ lat: 951, lng: 7 }, münster), { position: null, fault: true });
  });

  test('is possible in one order alone where no pocket tells the two apart', () => {
    assert.deepEqual(readPosition(103.8, 1.3, []), { position: { lat: 1.3, lng: 103.8 }, fault: true });
    assert.deepEqual(readPosition(7.63, 51.96, []), { position: { lat: 7.63, lng: 51.96 }, fault: false });
  });
});

describe('the id of a place', () => {
  const cases: [raw: unknown, expected: string | undefined][] = [
    ['S109', 'S109'],
    [' Münster (Nord) ', 'Münster (Nord)'],
    [86, '86'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), undefined],
    [' ', undefined],
    [null, undefined],
    [undefined, undefined],
    [1.5, undefined],
    [true, undefined],
    // JSON holds the next whole number too as this one.
    [2 ** 53, undefined],
    ['line\nbreak', undefined],
    ['line\u2028break', undefined],
    ['left\u202eright', undefined],
    ['half\ud800', undefined],
  ];
  for (const [raw, expected] of cases)
    test(JSON.stringify(raw) ?? 'none', () => assert.equal(parsePlaceId(raw), expected));
});
