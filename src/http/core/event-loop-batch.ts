// Batches work per turn of the event loop: used for writing replies (fast-path.ts) and log lines (access-log.ts).

/** Collects items, and passes those of one turn of the event loop to `flush` together at its end. */
export function batchPerTurn<T>(flush: (batch: T[]) => void): (item: T) => void {
  let queue: T[] = [];
  const flushQueue = () => {
    const batch = queue;
    queue = [];
    flush(batch);
  };
  return (item) => {
    if (queue.push(item) === 1) setImmediate(flushQueue);
  };
}
