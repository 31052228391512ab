/**
 * Lays out a structure of typed arrays in one ArrayBuffer, in a fixed order, so that saving it is copying its bytes and
 * restoring it is copying them back. A `build` function asks for the arrays it needs; it is called twice, first to
 * measure the total size and then to get views of the buffer that was allocated. Both calls must ask for the same
 * arrays in the same order, and that order is the format of the saved bytes.
 */
export interface BufferLayout {
  f64(length: number): Float64Array;
  f32(length: number): Float32Array;
  /** Eleven significant bits: enough for a measured number, too few for a running sum. */
  f16(length: number): Float16Array;
  u32(length: number): Uint32Array;
  u8(length: number): Uint8Array;
}

/** What `build` makes, and the bytes that hold its arrays. */
export function allocate<T>(build: (layout: BufferLayout) => T): { built: T; bytes: Uint8Array } {
  const size = { bytes: 0 };
  build(layoutOver(sliceAllocator(null, size)));
  const buffer = new ArrayBuffer(size.bytes);
  const built = build(layoutOver(sliceAllocator(buffer, { bytes: 0 })));
  return { built, bytes: new Uint8Array(buffer) };
}

/** The same numbers twice: in double precision for computing, in single precision for storing. */
export interface MixedPrecision {
  working: Float64Array;
  stored: Float32Array;
}

/**
 * Like `allocate`, but the f64 arrays are views of a working buffer outside the bytes; the bytes begin with their
 * single-precision copy. The caller copies between `working` and `stored` when it loads and stores.
 */
export function allocateMixedPrecision<T>(
  build: (layout: BufferLayout) => T,
): { built: T; bytes: Uint8Array } & MixedPrecision {
  const sizes = { working: { bytes: 0 }, other: { bytes: 0 } };
  build({
    ...layoutOver(sliceAllocator(null, sizes.other)),
    f64: layoutOver(sliceAllocator(null, sizes.working)).f64,
  });
  const numbers = sizes.working.bytes / 8;
  // The singles are padded to a multiple of eight bytes, so that any array may follow them.
  const storedBytes = 8 * Math.ceil(numbers / 2);
  const workingBuffer = new ArrayBuffer(8 * numbers);
  const buffer = new ArrayBuffer(storedBytes + sizes.other.bytes);
  const built = build({
    ...layoutOver(sliceAllocator(buffer, { bytes: storedBytes })),
    f64: layoutOver(sliceAllocator(workingBuffer, { bytes: 0 })).f64,
  });
  const working = new Float64Array(workingBuffer);
  const stored = new Float32Array(buffer, 0, numbers);
  stored.set(working);
  return { built, bytes: new Uint8Array(buffer), working, stored };
}

/** Returns the buffer and the offset of the next array of `length` elements of `width` bytes. */
type NextSlice = (width: number, length: number) => [ArrayBuffer, number];

/** Slices of a buffer one after the other, aligned to their element; without a buffer it only adds up `used`. */
const sliceAllocator =
  (buffer: ArrayBuffer | null, used: { bytes: number }): NextSlice =>
  (width, length) => {
    const from = Math.ceil(used.bytes / width) * width;
    used.bytes = from + width * length;
    return buffer ? [buffer, from] : [new ArrayBuffer(width * length), 0];
  };

const layoutOver = (next: NextSlice): BufferLayout => ({
  f64: (length) => new Float64Array(...next(8, length), length),
  f32: (length) => new Float32Array(...next(4, length), length),
  f16: (length) => new Float16Array(...next(2, length), length),
  u32: (length) => new Uint32Array(...next(4, length), length),
  u8: (length) => new Uint8Array(...next(1, length), length),
});
