/**
 * What a forecaster remembers lives in typed arrays cut from one piece of memory, in one fixed order: to save it is to
 * copy its bytes, and to restore it is to copy them back.
 */
export interface BufferLayout {
  f64(length: number): Float64Array;
  f32(length: number): Float32Array;
  /** Eleven binary digits: enough for what was measured, not for what is added up. */
  f16(length: number): Float16Array;
  u32(length: number): Uint32Array;
  u8(length: number): Uint8Array;
}

/** What `build` makes of an arena, and the bytes that it lives in. */
export function allocate<T>(build: (arena: BufferLayout) => T): { built: T; bytes: Uint8Array } {
  const size = { bytes: 0 };
  build(arena(cutting(null, size)));
  const buffer = new ArrayBuffer(size.bytes);
  const built = build(arena(cutting(buffer, { bytes: 0 })));
  return { built, bytes: new Uint8Array(buffer) };
}

/** Numbers that are worked with in double precision and rest in single: one is copied to the other, and back. */
export interface Narrowed {
  wide: Float64Array;
  narrow: Float32Array;
}

/** The same for memory whose double numbers rest in single precision, at the beginning of the bytes. */
export function allocateNarrow<T>(
  build: (arena: BufferLayout) => T,
): { built: T; bytes: Uint8Array } & Narrowed {
  const sizes = { wide: { bytes: 0 }, rest: { bytes: 0 } };
  build({ ...arena(cutting(null, sizes.rest)), f64: arena(cutting(null, sizes.wide)).f64 });
  const numbers = sizes.wide.bytes / 8;
  const wide = new ArrayBuffer(8 * numbers);
  const buffer = new ArrayBuffer(8 * Math.ceil(numbers / 2) + sizes.rest.bytes);
  const rest = cutting(buffer, { bytes: 8 * Math.ceil(numbers / 2) });
  const built = build({ ...arena(rest), f64: arena(cutting(wide, { bytes: 0 })).f64 });
  const narrowed = { wide: new Float64Array(wide), narrow: new Float32Array(buffer, 0, numbers) };
  narrowed.narrow.set(narrowed.wide);
  return { built, bytes: new Uint8Array(buffer), ...narrowed };
}

type Cut = (width: number, length: number) => [ArrayBuffer, number];

/** Cuts piece after piece from a buffer; without one it only measures what will be needed. */
const cutting =
  (buffer: ArrayBuffer | null, used: { bytes: number }): Cut =>
  (width, length) => {
    const from = Math.ceil(used.bytes / width) * width;
    used.bytes = from + width * length;
    return buffer ? [buffer, from] : [new ArrayBuffer(width * length), 0];
  };

const arena = (cut: Cut): BufferLayout => ({
  f64: (length) => new Float64Array(...cut(8, length), length),
  f32: (length) => new Float32Array(...cut(4, length), length),
  f16: (length) => new Float16Array(...cut(2, length), length),
  u32: (length) => new Uint32Array(...cut(4, length), length),
  u8: (length) => new Uint8Array(...cut(1, length), length),
});
