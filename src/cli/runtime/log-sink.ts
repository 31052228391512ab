import pino from 'pino';

/** Of lines that cannot be written, such as on a full disk. They are written when they can be; what comes after is lost. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

const BLOCK_BYTES = 256 * 1024;
const LONGEST_WAIT_MS = 250;
/** Of UTF-8, for each unit of a string. */
const MOST_BYTES_A_UNIT = 3;

/**
 * Pino's destination: lines are copied into a block of bytes, which is written off this thread when it is full or a
 * quarter of a second old. Collecting them as strings would cost a request more than its answer does.
 */
export function logSink(descriptor = 1): pino.DestinationStream {
  const file = logFile({ dest: descriptor, sync: false, contentMode: 'buffer' });
  // In this mode it takes bytes, which its types leave out.
  const write = (bytes: Buffer) => file.write(bytes as unknown as string);
  let block = Buffer.allocUnsafe(BLOCK_BYTES);
  let used = 0;
  const flush = () => {
    if (used === 0) return;
    write(block.subarray(0, used));
    block = Buffer.allocUnsafe(BLOCK_BYTES);
    used = 0;
  };
  setInterval(flush, LONGEST_WAIT_MS).unref();
  process.once('exit', () => {
    flush();
    file.flushSync();
  });
  return {
    write: (line) => {
      const most = line.length * MOST_BYTES_A_UNIT;
      if (used + most > BLOCK_BYTES) flush();
      if (most > BLOCK_BYTES) write(Buffer.from(line));
      else used += block.write(line, used);
    },
  };
}

/** What is said beside the log, to a terminal or a file, may be lost and ends nothing. */
export function ignoreWriteFaults(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** One of pino's destinations, of which a fault ends neither thread nor process. */
export function logFile(options: Parameters<typeof pino.destination>[0] & object): LogFile {
  const file: LogFile = pino.destination({ ...options, maxLength: MOST_KEPT_BYTES });
  let isFailing = false;
  file.on('error', () => {
    isFailing = true;
  });
  file.on('write', () => {
    isFailing = false;
  });
  const flushSync = file.flushSync.bind(file);
  // It is called at the exit, and tries without end what cannot be written.
  file.flushSync = () => {
    if (!isFailing) flushSync();
  };
  return file;
}

type LogFile = ReturnType<typeof pino.destination>;
