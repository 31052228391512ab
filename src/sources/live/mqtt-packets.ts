// What a broker may send, checked as the bytes come: the client holds a whole packet in memory before it hands it on, and
// one may be announced with 256 MB (MQTT 3.1.1, section 2.2.3). Version 3.1.1 has no way to tell a broker of a limit.
import { FetchError } from '../core/fetch-error.ts';

/** Of one packet, its header without. A message above 256 KiB is no measurement and dropped; above this nothing is read. */
export const MOST_PACKET_BYTES = 1024 * 1024;

const PUBLISH = 3;
/** Bytes in which a length is written, seven bits each. */
const MOST_LENGTH_BYTES = 4;

export const tooLarge = (host: string, most = MOST_PACKET_BYTES): FetchError =>
  new FetchError('too_large', `${host} sent a message larger than ${most / 1024} KiB`);

/** Takes the bytes of a connection in order, and throws a `FetchError` at the header of a packet that is not read. */
export function packetGuard(host: string, most = MOST_PACKET_BYTES): (chunk: Uint8Array) => void {
  /** Bytes of the present packet that are still to come, once its length is known. */
  let remaining = 0;
  let length = 0;
  /** Bytes of the length that were read; null before the first byte of a packet. */
  let read: number | null = null;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (remaining > 0) {
        const passed = Math.min(remaining, chunk.length - at);
        remaining -= passed;
        at += passed;
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (read === null) {
        // Topics are asked for without confirmation. The client keeps a message "exactly once" until the broker goes on.
        if (byte >> 4 === PUBLISH && ((byte >> 1) & 3) === 2)
          throw new FetchError('bad_body', `${host} sent a message in a way that was not asked for (qos 2)`);
        read = 0;
        length = 0;
        continue;
      }
      length += (byte & 127) * 128 ** read;
      read += 1;
      if (length > most) throw tooLarge(host, most);
      if (byte >= 128 && read < MOST_LENGTH_BYTES) continue;
      if (byte >= 128) throw new FetchError('bad_body', `${host} sent something that is not MQTT`);
      remaining = length;
      read = null;
    }
  };
}
