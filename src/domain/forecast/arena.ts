/**
 * What a forecaster remembers lives in typed arrays cut from one piece of memory, in one fixed order: to save it is to
 * copy its bytes, and to restore it is to copy them back.
 */
export interface Arena {
  f64(length: number): Float64Array;
  f32(length: number): Float32Array;
  /** Eleven binary digits: enough for what was measured, not for what is added up. */
  f16(length: number): Float16Array;
  u8(length: number): Uint8Array;
}

/** What `build` makes of an arena, and the bytes that it lives in. */
export function laidOut<T>(build: (arena: Arena) => T): { built: T; bytes: Uint8Array } {
  let size = 0;
  build(
    arena((width, length) => {
      size = aligned(size, width) + width * length;
      return [new ArrayBuffer(width * length), 0];
    }),
  );
  const buffer = new ArrayBuffer(size);
  let at = 0;
  const built = build(
    arena((width, length) => {
      const from = aligned(at, width);
      at = from + width * length;
      return [buffer, from];
    }),
  );
  return { built, bytes: new Uint8Array(buffer) };
}

const aligned = (at: number, width: number): number => Math.ceil(at / width) * width;

const arena = (take: (width: number, length: number) => [ArrayBuffer, number]): Arena => ({
  f64: (length) => new Float64Array(...take(8, length), length),
  f32: (length) => new Float32Array(...take(4, length), length),
  f16: (length) => new Float16Array(...take(2, length), length),
  u8: (length) => new Uint8Array(...take(1, length), length),
});
