// A strict parser of iCalendar for tests: throws at everything that RFC 5545 forbids and the service could get wrong.
import assert from 'node:assert/strict';

interface Property {
  name: string;
  parameters: string[];
  value: string;
}

interface Component {
  name: string;
  properties: Property[];
  components: Component[];
  /** The raw value of a property that occurs once. */
  value(name: string): string;
  /** The same, as TEXT. */
  text(name: string): string;
}

/** Throws at an escape that TEXT does not have, and at a character that it must escape. */
export function unescapeText(value: string): string {
  assert.match(value, /^(?:[^\\;,\p{Cc}]|\\[\\;,nN])*$/u, value);
  return value.replaceAll(/\\(.)/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));
}

const required: Record<string, readonly string[]> = {
  VCALENDAR: ['PRODID', 'VERSION'],
  VEVENT: ['UID', 'DTSTAMP', 'DTSTART'],
  VJOURNAL: ['UID', 'DTSTAMP'],
};
const times = ['DTSTAMP', 'DTSTART', 'DTEND', 'LAST-MODIFIED'];
const texts = ['SUMMARY', 'DESCRIPTION', 'LOCATION', 'CATEGORIES', 'NAME', 'PRODID'];

export function parseIcal(document: string): Component {
  assert.ok(document.endsWith('\r\n'), 'the last line has no end');
  assert.doesNotMatch(document.replaceAll('\r\n', ''), /[\r\n]/, 'a lone carriage return or line feed');
  for (const line of document.slice(0, -2).split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, `${line} is too long`);
    assert.notEqual(line, '');
  }
  const lines = document.replaceAll('\r\n ', '').slice(0, -2).split('\r\n').map(parseProperty);
  const root = takeComponent(lines);
  assert.equal(root.name, 'VCALENDAR');
  assert.equal(lines.length, 0, 'text after the end');
  assert.equal(root.value('VERSION'), '2.0');
  assert.ok(root.components.length > 0, 'no component');
  const ids = root.components.map((component) => component.value('UID'));
  assert.deepEqual(ids, [...new Set(ids)], 'an id twice');
  return root;
}

function parseProperty(line: string): Property {
  const [, name = '', parameters = '', value = ''] =
    /^([A-Z-]+)((?:;[A-Z-]+=[^;:,"]+)*):(.*)$/su.exec(line) ?? assert.fail(`not a content line: ${line}`);
  return { name, parameters: parameters.split(';').slice(1), value };
}

/** Takes the lines of one component from the front of the list. */
function takeComponent(lines: Property[]): Component {
  const begin = lines.shift();
  assert.equal(begin?.name, 'BEGIN');
  const name = begin?.value ?? '';
  const [properties, components]: [Property[], Component[]] = [[], []];
  for (;;) {
    const [next] = lines;
    assert.ok(next, `${name} has no end`);
    if (next.name === 'BEGIN') components.push(takeComponent(lines));
    else {
      lines.shift();
      if (next.name === 'END') {
        assert.equal(next.value, name);
        break;
      }
      assert.equal(components.length, 0, 'a property after a component');
      properties.push(next);
    }
  }
  const value = (wanted: string): string => {
    const found = properties.filter((property) => property.name === wanted);
    assert.equal(found.length, 1, `${name} has ${found.length} of ${wanted}`);
    return found[0]?.value ?? '';
  };
  for (const wanted of required[name] ?? []) assert.ok(value(wanted), wanted);
  for (const property of properties) checkValue(property);
  if (name === 'VEVENT') assert.ok(value('DTEND') > value('DTSTART'), 'an event ends before it starts');
  return { name, properties, components, value, text: (wanted) => unescapeText(value(wanted)) };
}

function checkValue({ name, value }: Property): void {
  if (times.includes(name)) {
    assert.match(value, /^\d{8}T\d{6}Z$/, name);
    const [, y, m, d, h, min, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value) ?? [];
    assert.ok(!Number.isNaN(Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`)), value);
  }
  if (texts.includes(name)) unescapeText(value);
  if (name === 'REFRESH-INTERVAL') assert.match(value, /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?)?$/);
  if (name === 'GEO') assert.match(value, /^-?\d+(?:\.\d+)?;-?\d+(?:\.\d+)?$/);
  if (name === 'URL' || name === 'SOURCE') assert.doesNotThrow(() => new URL(value), value);
}
