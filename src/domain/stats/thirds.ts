import type { ClosedGate } from '../decision/decision-text.ts';
import type { Tier } from '../decision/tier.ts';
import type { ErrorType } from '../prediction/error-taxonomy.ts';
import { HOUR, SLOT, slotOf } from '../time/sgt.ts';
import type { Span } from '../time/spans.ts';
import type { Window } from '../time/window.ts';

/** A third of a day. Eight hours lie between Singapore and UTC, so that days of both are made of whole ones. */
export const THIRD = 8 * HOUR;

export const thirdOf = (time: number): number => Math.floor(time / THIRD) * THIRD;

/** What is counted of one pocket. Forecasts on trial are left out; scores are in ten-thousandths. */
export interface PocketCounts {
  readings: number;
  anomalies: number;
  emissions: number;
  silences: number;
  /** Of those silences, as far as they were judged. */
  vindicated: number;
  missed: number;
  unjudged: number;
  attention_minutes: number;
  /** Forecasts sealed here; of those, how many were scored or could not be, and their scores. */
  sealed: number;
  scored: number;
  inconclusive: number;
  score: number;
  /** Forecasts whose hour came here and which were scored. */
  due: number;
  due_score: number;
}

/** What can be counted apart from the rest, and which counts it gives. */
export const subjects = {
  readings: ['readings', 'anomalies'],
  decisions: ['emissions', 'silences'],
  verdicts: ['vindicated', 'missed', 'unjudged', 'attention_minutes'],
  forecasts: ['sealed', 'scored', 'inconclusive', 'score', 'due', 'due_score'],
} as const satisfies Record<string, readonly (keyof PocketCounts)[]>;
export type Subject = keyof typeof subjects;

export const everySubject = Object.keys(subjects) as Subject[];

export const countsOf = (wanted: readonly Subject[]): (keyof PocketCounts)[] =>
  wanted.flatMap((subject): readonly (keyof PocketCounts)[] => subjects[subject]);

const pocketCounts = countsOf(everySubject);

export const nothingCounted = (): PocketCounts =>
  Object.fromEntries(pocketCounts.map((name) => [name, 0])) as unknown as PocketCounts;

export function addCounts(to: PocketCounts, from: Partial<PocketCounts>): void {
  for (const name of pocketCounts) to[name] += from[name] ?? 0;
}

/** What is counted of the whole network, by kind. */
export interface KindCounts {
  gates: Partial<Record<ClosedGate, GateCounts>>;
  tiers: Partial<Record<Tier, number>>;
  generators: Record<string, GeneratorCounts>;
  misses: Partial<Record<ErrorType, number>>;
}
export type GateCounts = [silences: number, vindicated: number, missed: number, unjudged: number];
export type GeneratorCounts = [sealed: number, scored: number, hits: number];

export const noKinds = (): KindCounts => ({ gates: {}, tiers: {}, generators: {}, misses: {} });

export function addKinds(to: KindCounts, from: KindCounts): void {
  for (const [gate, counts] of Object.entries(from.gates)) addEach(to.gates, gate, counts);
  for (const [generator, counts] of Object.entries(from.generators))
    addEach(to.generators, generator, counts);
  for (const [tier, count] of Object.entries(from.tiers)) addOne(to.tiers, tier, count);
  for (const [type, count] of Object.entries(from.misses)) addOne(to.misses, type, count);
}

function addOne(to: Record<string, number>, name: string, count: number): void {
  to[name] = (to[name] ?? 0) + count;
}

function addEach(to: Record<string, number[]>, name: string, counts: readonly number[]): void {
  const known = to[name];
  to[name] = known ? known.map((count, n) => count + (counts[n] ?? 0)) : [...counts];
}

/** A window in pieces of a third each, the first and the last perhaps less than whole, oldest first. */
export function piecesOf({ after, until }: Window): (Span & { whole: boolean })[] {
  const end = slotOf(until) + SLOT;
  const pieces = [];
  for (let from = slotOf(after) + SLOT; from < end; from = thirdOf(from) + THIRD) {
    const third = thirdOf(from);
    const to = Math.min(third + THIRD, end);
    pieces.push({ from, to, whole: from === third && to === third + THIRD });
  }
  return pieces;
}
