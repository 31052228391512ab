// Those that wait for heavy work. Clients take turns, however many tasks each of them has waiting, and share the places
// in which tasks wait.

export interface PlaceLimits {
  /** Places in all, and of one client. */
  waiting: number;
  waitingPerClient: number;
}

interface Waiting<T> {
  task: T;
  /** Whether it holds a place. Work that was begun before waits without one: it cannot be refused. */
  placed: boolean;
}

/** Whether a task may wait, and the one that has to give up its place for it. */
export type Admission<T> = { admitted: false } | { admitted: true; displaced?: T };

export class Turns<T> {
  readonly #limits: PlaceLimits;
  /** In the order of their turns; each has its tasks in the order in which they came. */
  readonly #clients = new Map<string, Waiting<T>[]>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * When all places are taken, a client that has fewer of them than another gets one of the greediest client: the one
   * that was taken last.
   */
  admit(client: string, task: T): Admission<T> {
    const own = this.#placesOf(client);
    if (own >= this.#limits.waitingPerClient) return { admitted: false };
    const places = [...this.#clients.keys()].map((name) => ({ name, taken: this.#placesOf(name) }));
    const total = places.reduce((sum, { taken }) => sum + taken, 0);
    if (total < this.#limits.waiting) {
      this.#add(client, { task, placed: true });
      return { admitted: true };
    }
    const [greediest] = places.sort((a, b) => b.taken - a.taken);
    // With a difference of one, two clients would take the same place from each other again and again.
    if (!greediest || greediest.taken <= own + 1) return { admitted: false };
    const displaced = this.#removeLast(greediest.name);
    this.#add(client, { task, placed: true });
    return { admitted: true, displaced };
  }

  /** Adds a task without a place. */
  add(client: string, task: T): void {
    this.#add(client, { task, placed: false });
  }

  /** The first task of the client whose turn it is, which is then the last in turn. */
  next(): T | undefined {
    const [first] = this.#clients;
    if (!first) return undefined;
    const [client, [next, ...others]] = first;
    this.#clients.delete(client);
    if (others.length) this.#clients.set(client, others);
    return next?.task;
  }

  /** A client that had none waiting takes its turn after all others. */
  #add(client: string, waiting: Waiting<T>): void {
    const own = this.#clients.get(client);
    if (own) own.push(waiting);
    else this.#clients.set(client, [waiting]);
  }

  #placesOf(client: string): number {
    return (this.#clients.get(client) ?? []).filter(({ placed }) => placed).length;
  }

  #removeLast(client: string): T {
    const tasks = this.#clients.get(client) ?? [];
    const [removed] = tasks.splice(
      tasks.findLastIndex(({ placed }) => placed),
      1,
    ) as [Waiting<T>];
    if (!tasks.length) this.#clients.delete(client);
    return removed.task;
  }
}
