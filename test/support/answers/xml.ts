// A strict parser for the XML of the feeds.
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  /** Directly in the element, without that of its children. */
  text: string;
}

const NAME = /^[A-Za-z_][\w.:-]*/;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function parseXml(document: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(declaration)) throw new Error('no declaration');
  let at = declaration.length;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${JSON.stringify(document.slice(at, at + 40))}`);
  };
  const take = (pattern: RegExp): string => {
    const found = pattern.exec(document.slice(at, at + 4000))?.[0] ?? fail(`not ${pattern}`);
    at += found.length;
    return found;
  };
  const readText = (raw: string): string => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 does not allow.
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(raw))
      fail('a character that XML does not allow');
    return raw.replace(/&([^;]{0,10});?/g, (whole, name) => {
      if (!whole.endsWith(';')) return fail('a bare &');
      const code = /^#(\d+)$/.exec(name)?.[1];
      return code ? String.fromCodePoint(Number(code)) : (entities[name] ?? fail(`the entity ${name}`));
    });
  };
  const readElement = (): Element => {
    take(/^</);
    const element: Element = { name: take(NAME), attributes: {}, children: [], text: '' };
    while (/^\s/.test(document.slice(at))) {
      take(/^\s+/);
      const name = take(NAME);
      const value = take(/^="[^"<]*"/);
      if (name in element.attributes) fail('a repeated attribute');
      element.attributes[name] = readText(value.slice(2, -1));
    }
    if (document.startsWith('/>', at)) {
      at += 2;
      return element;
    }
    take(/^>/);
    while (!document.startsWith('</', at)) {
      if (document[at] === '<') element.children.push(readElement());
      else element.text += readText(take(/^[^<]+/));
    }
    at += 2;
    if (take(NAME) !== element.name) fail('the wrong closing tag');
    take(/^>/);
    return element;
  };
  const root = readElement();
  if (document.slice(at).trim()) fail('more than one root');
  return root;
}

export const childElements = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name);

/** The text of the one child of that name. */
export function childText(element: Element, name: string): string {
  const [only, ...others] = childElements(element, name);
  if (!only || others.length) throw new Error(`${element.name} does not have exactly one ${name}`);
  return only.text;
}
