/** Gathers what comes within a turn of the event loop and hands it on together at its end. */
export function batchPerTurn<T>(handOn: (all: T[]) => void): (one: T) => void {
  let waiting: T[] = [];
  const end = () => {
    const all = waiting;
    waiting = [];
    handOn(all);
  };
  return (one) => {
    if (waiting.push(one) === 1) setImmediate(end);
  };
}
