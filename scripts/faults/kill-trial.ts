// Kills the service at random moments, many times over on one store, while submissions are sent to it.
import { setTimeout as delay } from 'node:timers/promises';
import { SLOT, slotStart } from '../../src/domain/time/slot.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { isDue, schedule } from '../../src/pipeline/schedule/schedule.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { isAnyAccepted } from '../../src/store/prediction/accepted-submissions.ts';
import { smallRegistryPockets } from '../../test/support/pipeline/small-registry.ts';
import { run, serviceEnvironment } from '../../test/support/services/processes.ts';
import type { StorePlace } from '../../test/support/stores/store-places.ts';
import { type Claim, type JobEvents, KillableService, killAll, lifeEnvironment } from './killable-service.ts';
import { checkStore, LogCheck, wasCutShort } from './log-check.ts';
import { seededRandom } from './random.ts';
import { Submitter } from './submitter.ts';

/** That of the small city. */
const zone = timeZone('Asia/Singapore');

/** More than half, to make up for those that miss: a short job may be over when the signal arrives. */
const SHARE_AIMED_AT_TICKS = 0.7;
/** The longest life before a kill that is not aimed, as a multiple of the time from start to listening. */
const LONGEST_LIFE = 2.5;
/** With nothing to aim at for so long the kill comes anyway. */
const PATIENCE_MS = 15_000;
/** How long a service goes on answering after its pipeline was killed. */
const LONGEST_SURVIVAL_MS = 150;
/** The service says that it takes no longer until what was accepted is in the log. */
const LONGEST_APPEND_MS = 15_000;

export interface TrialResult {
  rounds: number;
  insideTicks: number;
  acknowledged: number;
  lost: string[];
  doubled: string[];
  /** Undefined: nothing is wrong. */
  verifyFault: string | undefined;
}

interface TrialOptions {
  place: StorePlace;
  rounds: number;
  seed: number;
  /** Once aborted, no further round begins; what was done is checked all the same. */
  signal?: AbortSignal;
  onRound?: (sofar: Omit<TrialResult, 'verifyFault'>) => void;
}

/** What one round does, chosen before it begins. */
interface Plan {
  /** Where in the tick, as a share of its time; undefined: at any moment. */
  inTick: number | undefined;
  /** When, as a share of the longest life. */
  moment: number;
  target: 'group' | 'service' | 'pipeline';
  /** Whether a new quarter hour has begun since the last round; else the one that was cut short goes on. */
  newSlot: boolean;
}

export async function killTrial({
  place,
  rounds,
  seed,
  signal,
  onRound,
}: TrialOptions): Promise<TrialResult> {
  const trial = new Trial(place, rounds, seed);
  try {
    await trial.prepare();
    for (let n = 1; n <= rounds && !signal?.aborted; n++) {
      await trial.round();
      onRound?.(trial.sofar());
    }
    return await trial.finish();
  } finally {
    killAll();
  }
}

class Trial {
  readonly #place: StorePlace;
  readonly #random: () => number;
  readonly #environment: Record<string, string>;
  readonly #submitter = new Submitter(smallRegistryPockets);
  readonly #log = new LogCheck();
  /** How long each job held its transaction when it last ran, in milliseconds; the longest one to begin with. */
  readonly #durations = new Map([['atmosphere', 40]]);
  /** The clock of the service against the real one. It must not get ahead of it, nor ever go back. */
  #shift: number;
  /** How long the last start took until the service listened. */
  #startMs = 1_000;
  #rounds = 0;
  #insideTicks = 0;
  /** The last claim before each kill, until the store has told whether it was committed. */
  #unjudged: Claim[] = [];

  constructor(place: StorePlace, rounds: number, seed: number) {
    this.#place = place;
    this.#random = seededRandom(seed);
    this.#shift = -(rounds + 8) * SLOT;
    this.#environment = {
      ...serviceEnvironment(place),
      // Stripping types takes half of a start.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${place.dataDir}/compiled`,
    };
  }

  sofar() {
    return {
      rounds: this.#rounds,
      insideTicks: this.#insideTicks,
      acknowledged: this.#submitter.receipts.length,
      lost: this.#log.lost,
      doubled: [...this.#log.doubled, ...this.#submitter.doubled],
    };
  }

  /** Writes the first history: until it is complete nothing is acknowledged. */
  async prepare(): Promise<void> {
    const { status, stderr } = await run(['backfill'], lifeEnvironment(this.#environment, this.#shift));
    if (status !== 0) throw new Error(`no history: ${stderr}`);
  }

  async round(): Promise<void> {
    const plan = this.#plan();
    if (plan.newSlot) this.#shift += SLOT;
    const life = new AbortController();
    const aimed = Promise.withResolvers<void>();
    const aim = this.#aimAt(plan);
    let begin = 0;
    let missed = false;
    const service = this.#start({
      onClaim: ({ job }) => {
        begin = performance.now();
        if (missed) aimed.resolve();
        else if (job === aim?.job) setTimeout(aimed.resolve, aim.after);
      },
      onCommit: ({ job }) => {
        this.#durations.set(job, performance.now() - begin);
        // The job took less time than before: the next one of the tick is the target.
        missed ||= job === aim?.job;
      },
    });
    const work = this.#useService(service, life.signal);
    const moment = aim
      ? Promise.race([aimed.promise, delay(PATIENCE_MS, undefined, { ref: false })])
      : delay(plan.moment * LONGEST_LIFE * this.#startMs);
    // What fails beside the kill ends the trial: a refused submission, or a service that does not start.
    await Promise.race([moment, work.then(() => moment)]);
    if (service.fault !== undefined) throw new Error(`the service ended on its own: ${service.fault}`);
    const last = service.claims.at(-1);
    // With PostgreSQL the pipeline's process outlives its service.
    if (last && !(plan.target === 'service' && this.#place.databaseUrl)) this.#unjudged.push(last);
    if (plan.target === 'pipeline') {
      await service.kill('pipeline');
      await delay(plan.moment * LONGEST_SURVIVAL_MS);
    }
    life.abort();
    await service.kill(plan.target === 'pipeline' ? 'group' : plan.target);
    await work;
    this.#rounds += 1;
  }

  #plan(): Plan {
    const [kind, inTick, moment, target, slot] = Array.from({ length: 5 }, this.#random) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const isAimed = kind < SHARE_AIMED_AT_TICKS;
    return {
      inTick: isAimed ? inTick : undefined,
      moment,
      // With SQLite there is one process, and all of these are the same.
      target: target < 0.5 ? 'group' : isAimed ? 'pipeline' : 'service',
      newSlot: isAimed || slot < 0.5,
    };
  }

  /** The job to wait for and how long after its claim to kill, so that every moment of the tick is as likely. */
  #aimAt({ inTick }: Plan): { job: string; after: number } | undefined {
    if (inTick === undefined) return undefined;
    const slot = slotStart(Date.now() + this.#shift);
    const isDueNow = ([name]: [string, number]) =>
      schedule.some((job) => job.name === name && isDue(job, slot, zone));
    const due = [...this.#durations].filter(isDueNow);
    let after = inTick * due.reduce((sum, [, duration]) => sum + duration, 0);
    for (const [job, duration] of due) {
      if (after < duration) return { job, after };
      after -= duration;
    }
    return undefined;
  }

  #start({
    onClaim = () => undefined,
    onCommit = () => undefined,
  }: Partial<JobEvents> = {}): KillableService {
    return new KillableService(lifeEnvironment(this.#environment, this.#shift), { onClaim, onCommit });
  }

  /** Checks what the last kill left, then submits until the next. */
  async #useService(service: KillableService, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const url = await service.listening.catch(() => undefined);
    if (url === undefined) return;
    this.#startMs = performance.now() - began;
    await this.#withStore((store) => this.#check(store));
    await this.#submitter.sendAllTheWhile(url, () => Date.now() + this.#shift, signal);
  }

  async #check(store: Store): Promise<void> {
    for (const claim of this.#unjudged.splice(0)) if (await wasCutShort(store, claim)) this.#insideTicks += 1;
    await this.#log.advance(store, this.#submitter.receipts);
  }

  /**
   * Opened while the service runs, and closed again: with a connection of ours on an SQLite file the next start would
   * find its log in use and recover nothing.
   */
  async #withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = openStore(this.#place);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  async finish(): Promise<TrialResult> {
    const service = this.#start();
    const url = await service.listening;
    await this.#withStore((store) => this.#check(store));
    await this.#submitter.sendUnanswered(url);
    const { receipts } = this.#submitter;
    await this.#withStore(allAppended);
    const found = await this.#withStore((store) => checkStore(store, receipts));
    const { status, stderr } = await run(['verify', url], lifeEnvironment(this.#environment, this.#shift));
    await service.stop();
    const sofar = this.sofar();
    return {
      ...sofar,
      lost: [...new Set([...sofar.lost, ...found.lost])],
      doubled: [...new Set([...sofar.doubled, ...found.doubled])],
      verifyFault: status === 0 ? undefined : stderr.trim(),
    };
  }
}

/** Resolves when nothing waits for the log any more, or should not. */
async function allAppended(store: Store): Promise<void> {
  const deadline = performance.now() + LONGEST_APPEND_MS;
  while (performance.now() < deadline && (await isAnyAccepted(store))) await delay(100);
}
