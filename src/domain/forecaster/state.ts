import { allocate, allocateNarrow, type Narrowed } from './buffer-layout.ts';
import { type CalmModel, calmCore, candidates, newCalmModel, newPlaceCalm, signs } from './calm-model.ts';
import {
  type ClassModel,
  classCandidates,
  newClassModel,
  newPlaceClasses,
  type PlaceClasses,
} from './class-model.ts';
import { type Design, type Extent, extentOf } from './design.ts';
import { type FeatureRow, newFeatureRow } from './feature-row.ts';
import { coreFeatures, features, indexOf } from './features.ts';
import { type LevelModel, newLevelModel, newPlaceLevel, type PlaceLevel } from './level-model.ts';
import type { Scale } from './level-scale.ts';
import { newPlace, type Place } from './place.ts';
import type { Learner } from './recursive.ts';

/** For one horizon: what all places share. */
export interface Shared {
  level: LevelModel;
  calm: CalmModel;
  classes: ClassModel;
}

/** For one horizon: what a place has of its own, and its forecasts that still await their outcome. */
export interface Own {
  level: PlaceLevel;
  calm: Learner;
  classes: PlaceClasses;
  pending: Float16Array;
  /** The slot each was made at; 0 for none. */
  pendingSlots: Uint32Array;
}

export interface Forecaster {
  design: Design;
  extent: Extent;
  common: Common;
  /** The bytes of what is common to all places. */
  head: Uint8Array;
  /** What each place has of its own, at rest: bytes of some places each, one place after the other. */
  blocks: Uint8Array[];
  workspace: Workspace;
}

/** All that is not one place's own. */
export interface Common {
  /** Of the design that the memory belongs to. */
  print: Float64Array;
  /** The last slot learned; NaN before the first. */
  clock: Float64Array;
  /** The mean surprise over all places: a ring of the last hour. */
  together: Float64Array;
  shared: Shared[];
  /** Outcomes learned from, place by place, for each horizon. */
  learned: Float64Array;
}

/** Paper to work on: nothing on it outlives a call, unless it is put back. */
export interface Workspace extends Narrowed {
  /** The place that lies here, and its bytes. */
  place: Place;
  owns: Own[];
  bytes: Uint8Array;
  record: FeatureRow;
  levelCore: Float64Array;
  levelIndices: Int32Array;
  calmCore: Float64Array;
  calmIndices: Int32Array;
  chances: Float64Array;
  table: Float64Array;
  share: Float64Array;
}

/** Blocks of about this size are saved and restored one by one, so that thousands of places need no second copy. */
const BLOCK_BYTES = 750_000;

/** Knows nothing. It may take over the memory of one that is not needed any more. */
export function newForecaster(design: Design, old?: Forecaster): Forecaster {
  const extent = extentOf(design);
  const { built: common, bytes: head } = allocate((arena) => ({
    print: arena.f64(1).fill(fingerprint(design)),
    clock: arena.f64(1).fill(Number.NaN),
    together: arena.f64(extent.hour + 1),
    learned: arena.f64(extent.places * extent.horizons),
    shared: design.horizons.map(() => ({
      level: newLevelModel(arena, extent),
      calm: newCalmModel(arena, extent),
      classes: newClassModel(arena, extent),
    })),
  }));
  const desk = newDesk(design, extent);
  const { bytes } = desk;
  const perBlock = Math.max(1, Math.floor(BLOCK_BYTES / bytes.length));
  const blocks: Uint8Array[] = [];
  for (let first = 0; first < extent.places; first += perBlock) {
    const size = Math.min(perBlock, extent.places - first) * bytes.length;
    const used = old?.blocks[blocks.length];
    const block = used?.length === size ? used : new Uint8Array(size);
    for (let at = 0; at < block.length; at += bytes.length) block.set(bytes, at);
    blocks.push(block);
  }
  return { design, extent, common, head, blocks, workspace: desk };
}

function newDesk(design: Design, extent: Extent): Workspace {
  const record = newFeatureRow(extent);
  const calmIndices = calmCore(extent);
  const { built, ...memory } = allocateNarrow((arena) => ({
    place: newPlace(arena, extent, design.scales[0] as Scale),
    owns: design.horizons.map((steps) => ({
      level: newPlaceLevel(arena),
      calm: newPlaceCalm(arena),
      classes: newPlaceClasses(arena, extent),
      pending: arena.f16(steps * record.row.length),
      pendingSlots: arena.u32(steps),
    })),
  }));
  return {
    ...built,
    ...memory,
    record,
    levelCore: new Float64Array(coreFeatures.length),
    levelIndices: Int32Array.from(coreFeatures, indexOf),
    calmCore: new Float64Array(calmIndices.length),
    calmIndices,
    chances: new Float64Array(extent.classes),
    table: new Float64Array(extent.classes),
    share: new Float64Array(extent.classes),
  };
}

/** Takes a place onto the desk. What is done to it there is lost unless it is put back. */
export function loadPlace({ design, workspace: desk, blocks }: Forecaster, p: number): Place {
  const { bytes, place, wide, narrow } = desk;
  const [block, at] = whereabouts(blocks, bytes.length, p);
  bytes.set(block.subarray(at, at + bytes.length));
  wide.set(narrow);
  place.scale = design.scales[p] as Scale;
  return place;
}

/** Puts back a place whose numbers have changed, not only what waits for its outcome. */
export function storeLearned(forecaster: Forecaster, p: number): void {
  toRest(forecaster.workspace);
  storePlace(forecaster, p);
}

export function storePlace({ workspace: { bytes }, blocks }: Forecaster, p: number): void {
  const [block, at] = whereabouts(blocks, bytes.length, p);
  block.set(bytes, at);
}

/** Rounds the numbers on the desk to what is left of them when they are taken up again. */
export function toRest({ wide, narrow }: Narrowed): void {
  for (let i = 0; i < narrow.length; i++) narrow[i] = wide[i] as number;
}

function whereabouts(blocks: readonly Uint8Array[], size: number, p: number): [Uint8Array, number] {
  const perBlock = (blocks[0] as Uint8Array).length / size;
  return [blocks[Math.floor(p / perBlock)] as Uint8Array, (p % perBlock) * size];
}

/** The memory in parts: what is common, then the blocks of places. They are the forecaster's own bytes, not copies. */
export const parts = ({ head, blocks }: Forecaster): readonly Uint8Array[] => [head, ...blocks];

/** Null when the parts were saved under another design or by other rules: then the past has to be replayed. */
export function restore(design: Design, saved: Iterable<Uint8Array>): Forecaster | null {
  const forecaster = newForecaster(design);
  let n = 0;
  for (const part of saved) if (!refill(forecaster, n++, part)) return null;
  return n === parts(forecaster).length ? forecaster : null;
}

/** Fills in one part; false, with nothing changed, when it does not belong to this design. */
export function refill(forecaster: Forecaster, n: number, bytes: Uint8Array): boolean {
  const part = parts(forecaster)[n];
  if (part?.length !== bytes.length) return false;
  // The print stands at the very beginning.
  if (n === 0 && !part.subarray(0, 8).every((byte, i) => byte === bytes[i])) return false;
  part.set(bytes);
  return true;
}

/** To be raised with every change that gives saved numbers another meaning. */
const RULES = 3;

/** FNV-1a, 32 bits. */
function fingerprint(design: Design): number {
  const text = JSON.stringify([RULES, features, coreFeatures, signs, candidates, classCandidates, design]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
