import pino from 'pino';

const BLOCK_BYTES = 256 * 1024;
const LONGEST_WAIT_MS = 250;
/** Of UTF-8, for each unit of a string. */
const MOST_BYTES_A_UNIT = 3;

/**
 * Where pino writes: lines are laid into a block of bytes, which goes out as a whole when it is full or a quarter of a
 * second old, off this thread. Gathered as strings, they would cost a request more than its answer does.
 */
export function logSink(descriptor = 1): pino.DestinationStream {
  const file = pino.destination({ dest: descriptor, sync: false, contentMode: 'buffer' });
  // In this mode it takes bytes, which its types leave out.
  const write = (bytes: Buffer) => file.write(bytes as unknown as string);
  let block = Buffer.allocUnsafe(BLOCK_BYTES);
  let used = 0;
  const pass = () => {
    if (used === 0) return;
    write(block.subarray(0, used));
    block = Buffer.allocUnsafe(BLOCK_BYTES);
    used = 0;
  };
  setInterval(pass, LONGEST_WAIT_MS).unref();
  process.once('exit', () => {
    pass();
    file.flushSync();
  });
  return {
    write: (line) => {
      const most = line.length * MOST_BYTES_A_UNIT;
      if (used + most > BLOCK_BYTES) pass();
      if (most > BLOCK_BYTES) write(Buffer.from(line));
      else used += block.write(line, used);
    },
  };
}
