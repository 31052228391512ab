// Makes columns of entries, one by one, so that they need not be in memory together as objects.
import { type Column, type Columns, listColumns, plainEntry, type Texts } from './columns.ts';

/** So many different texts stay in memory whatever the length of the list: categories, hours, regions. */
const FEW_TEXTS = 4096;

export class ColumnsWriter {
  readonly #kept: readonly string[];
  readonly #columns = new Map<string, NumbersWriter | TextsWriter>();
  #length = 0;

  /** `kept`: the fields that entries are looked up by. */
  constructor(kept: readonly string[]) {
    this.#kept = kept;
  }

  add(entry: object): void {
    for (const [name, value] of Object.entries(entry)) {
      if (value === undefined) continue;
      let column = this.#columns.get(name);
      if (!column) {
        column = typeof value === 'number' ? new NumbersWriter() : new TextsWriter(typeof value === 'string');
        this.#columns.set(name, column);
      }
      column.add(this.#length, value);
    }
    this.#length += 1;
  }

  end(): Columns {
    const columns = Array.from(
      this.#columns,
      ([name, column]): Column => ({
        name,
        ...column.end(this.#length, this.#kept.includes(name)),
      }),
    );
    return { length: this.#length, columns };
  }
}

/** The columns of a list, which are written if it has none. */
export function toColumns(list: readonly object[], kept: readonly string[]): Columns {
  const known = listColumns(list);
  if (known) return known;
  const writer = new ColumnsWriter(kept);
  for (const entry of list) writer.add(plainEntry(entry));
  return writer.end();
}

class NumbersWriter {
  #numbers = new Float64Array(64).fill(Number.NaN);

  add(at: number, value: unknown): void {
    if (typeof value !== 'number' || Number.isNaN(value))
      throw new TypeError('the field is a number in one entry and none in another');
    if (at >= this.#numbers.length) {
      const longer = new Float64Array(2 * Math.max(at, this.#numbers.length)).fill(Number.NaN);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[at] = value;
  }

  end(length: number) {
    const numbers = new Float64Array(new SharedArrayBuffer(length * 8)).fill(Number.NaN);
    numbers.set(this.#numbers.subarray(0, length));
    return { kind: 'number' as const, numbers };
  }
}

class TextsWriter {
  readonly #isText: boolean;
  #numbers = new Uint32Array(64);
  #starts = new Uint32Array(64);
  #bytes = Buffer.alloc(1024);
  #count = 0;
  #added = 0;
  /** The number of each text; undefined once hardly any is repeated. */
  #known: Map<string, number> | undefined = new Map();

  constructor(isText: boolean) {
    this.#isText = isText;
  }

  add(at: number, value: unknown): void {
    if (this.#isText && typeof value !== 'string')
      throw new TypeError('the field is a text in one entry and none in another');
    const text = this.#isText ? String(value) : JSON.stringify(value);
    this.#numbers = withRoom(this.#numbers, at + 1);
    this.#numbers[at] = this.#known?.get(text) ?? this.#append(text);
    this.#added += 1;
    if (this.#known && this.#known.size > FEW_TEXTS && this.#known.size > 0.75 * this.#added)
      this.#known = undefined;
  }

  #append(text: string): number {
    const begin = this.#starts[this.#count] ?? 0;
    // No character takes more than three bytes.
    if (begin + 3 * text.length > this.#bytes.length) {
      const longer = Buffer.alloc(2 * (begin + 3 * text.length));
      this.#bytes.copy(longer, 0, 0, begin);
      this.#bytes = longer;
    }
    this.#count += 1;
    this.#starts = withRoom(this.#starts, this.#count + 1);
    this.#starts[this.#count] = begin + this.#bytes.write(text, begin);
    this.#known?.set(text, this.#count);
    return this.#count;
  }

  end(length: number, kept: boolean): { kind: 'text' | 'json'; texts: Texts } {
    const numbers = new Uint32Array(new SharedArrayBuffer(length * 4));
    numbers.set(this.#numbers.subarray(0, length));
    const starts = new Uint32Array(new SharedArrayBuffer((this.#count + 1) * 4));
    starts.set(this.#starts.subarray(0, this.#count + 1));
    const bytes = new Uint8Array(new SharedArrayBuffer(starts[this.#count] ?? 0));
    bytes.set(this.#bytes.subarray(0, bytes.length));
    const isFew = this.#count <= FEW_TEXTS || 2 * this.#count <= length;
    return { kind: this.#isText ? 'text' : 'json', texts: { numbers, starts, bytes, kept: kept || isFew } };
  }
}

function withRoom(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const longer = new Uint32Array(2 * length);
  longer.set(array);
  return longer;
}
