/**
 * Everything a forecaster remembers lives in typed arrays taken from one arena, in one fixed order.
 * To save is to join their bytes; to restore is to build the same arrays and copy the bytes back.
 */
type Numbers = Float64Array | Float32Array | Uint8Array;

export interface Arena {
  arrays: Numbers[];
  f64(length: number): Float64Array;
  f32(length: number): Float32Array;
  u8(length: number): Uint8Array;
}

export function newArena(): Arena {
  const arrays: Numbers[] = [];
  const keep = <T extends Numbers>(array: T): T => {
    arrays.push(array);
    return array;
  };
  return {
    arrays,
    f64: (length) => keep(new Float64Array(length)),
    f32: (length) => keep(new Float32Array(length)),
    u8: (length) => keep(new Uint8Array(length)),
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export function joined(arena: Arena): Uint8Array {
  const bytes = new Uint8Array(arena.arrays.reduce((sum, array) => sum + array.byteLength, 0));
  let at = 0;
  for (const array of arena.arrays) {
    bytes.set(bytesOf(array), at);
    at += array.byteLength;
  }
  return bytes;
}

/** False, with nothing copied, when the bytes were saved from another layout. */
export function refilled(arena: Arena, bytes: Uint8Array): boolean {
  if (bytes.byteLength !== arena.arrays.reduce((sum, array) => sum + array.byteLength, 0)) return false;
  let at = 0;
  for (const array of arena.arrays) {
    bytesOf(array).set(bytes.subarray(at, at + array.byteLength));
    at += array.byteLength;
  }
  return true;
}
