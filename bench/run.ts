// Runs measurements one after another: each is cleaned up after by itself, and one that fails stops no other.
import type { Bench, Size } from './harness.ts';

export interface Measurement {
  name: string;
  /** What is compared with what, in a line. */
  about: string;
  /** Returns a table, its first line the head. */
  measure(bench: Bench): Promise<string[][]>;
}

export interface Failure {
  name: string;
  error: unknown;
}

export interface RunSettings
  extends Pick<Bench, 'size' | 'workers' | 'pockets' | 'engines' | 'withoutPostgres' | 'say'> {
  /** Aborted when the bench is to stop. */
  signal: AbortSignal;
  /** Gets each table as soon as it is measured. */
  onTable(name: string, table: string[][]): unknown;
}

/** How long one measurement may take. The longest takes some minutes; that of a city of any size as long as it takes. */
const LIMIT_MINUTES = { own: 20, ofPockets: 24 * 60 };
const rounds: Record<Size, number> = { complete: 5, quick: 3, smallest: 1 };

/** Returns those that failed. What was under way when the bench was stopped has not failed. */
export async function runMeasurements(
  measurements: readonly Measurement[],
  { signal, onTable, ...settings }: RunSettings,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const whole = cleanUps();
  const shared: Pick<Bench, 'shared'> =
    settings.size === 'smallest'
      ? { shared: { services: new Map(), clients: new Map(), defer: whole.defer } }
      : {};
  for (const { name, measure } of measurements) {
    if (signal.aborted) break;
    settings.say(`${name}…`);
    const own = cleanUps();
    const limit = timeLimit(signal, LIMIT_MINUTES[settings.pockets === undefined ? 'own' : 'ofPockets']);
    const bench = { ...settings, ...shared, rounds: rounds[settings.size], signal: limit.signal };
    try {
      onTable(name, await Promise.race([measure({ ...bench, defer: own.defer }), limit.reached]));
    } catch (error) {
      if (!signal.aborted) failures.push({ name, error });
    } finally {
      limit.end();
      await own.run();
    }
  }
  await whole.run();
  return failures;
}

/** Steps that run in the opposite order of their registration. One that fails is no fault of what was measured. */
function cleanUps() {
  const steps: (() => unknown)[] = [];
  return {
    defer: (step: () => unknown): void => void steps.push(step),
    run: async () => {
      for (let step = steps.pop(); step; step = steps.pop()) await Promise.try(step).catch(() => undefined);
    },
  };
}

/** A signal for one measurement, and a promise that is rejected with it, since not everything can be interrupted. */
function timeLimit(whole: AbortSignal, minutes: number) {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  // Nobody waits for it once the measurement has ended.
  reached.catch(() => undefined);
  controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  const stop = () => controller.abort(whole.reason);
  whole.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(
    () => controller.abort(new Error(`took longer than ${minutes} minutes`)),
    minutes * 60_000,
  );
  return {
    signal: controller.signal,
    reached,
    end: () => {
      clearTimeout(timer);
      whole.removeEventListener('abort', stop);
    },
  };
}
