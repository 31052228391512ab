import { type Arena, joined, newArena, refilled } from './arena.ts';
import { type CalmModel, calmCore, candidates, newCalmModel, newPlaceCalm, signs } from './calm.ts';
import {
  type ClassModel,
  classCandidates,
  newClassModel,
  newPlaceClasses,
  type PlaceClasses,
} from './classes.ts';
import { type Design, type Extent, extentOf } from './design.ts';
import { coreFeatures, features, indexOf } from './features.ts';
import { type LevelModel, newLevelModel, newPlaceLevel, type PlaceLevel } from './level.ts';
import { newPlace, type Place } from './place.ts';
import { newRecord, type Record } from './record.ts';
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
  pending: Float32Array;
  pendingSlots: Float64Array;
  /** Outcomes learned from. */
  learned: Float64Array;
}

export interface Forecaster {
  design: Design;
  extent: Extent;
  arena: Arena;
  shared: Shared[];
  places: Place[];
  owns: Own[][];
  /** The mean surprise over all places: a ring of the last hour. */
  together: Float64Array;
  /** Of the design that the memory belongs to. */
  print: Float64Array;
  /** The last slot learned; NaN before the first. */
  clock: Float64Array;
  desk: Desk;
}

/** Paper to work on: nothing on it outlives a call. */
export interface Desk {
  record: Record;
  levelCore: Float64Array;
  levelIndices: Int32Array;
  calmCore: Float64Array;
  calmIndices: Int32Array;
  chances: Float64Array;
  table: Float64Array;
  share: Float64Array;
}

export function newForecaster(design: Design): Forecaster {
  const extent = extentOf(design);
  const arena = newArena();
  const record = newRecord(extent);
  const calmIndices = calmCore(extent);
  const print = arena.f64(1).fill(fingerprint(design));
  const clock = arena.f64(1).fill(Number.NaN);
  const together = arena.f64(extent.hour + 1);
  const shared = design.horizons.map(() => ({
    level: newLevelModel(arena, extent),
    calm: newCalmModel(arena, extent),
    classes: newClassModel(arena, extent),
  }));
  const places = design.scales.map((scale) => newPlace(arena, extent, scale));
  const owns = places.map(() =>
    design.horizons.map((steps) => ({
      level: newPlaceLevel(arena),
      calm: newPlaceCalm(arena),
      classes: newPlaceClasses(arena, extent),
      pending: arena.f32(steps * record.row.length),
      pendingSlots: arena.f64(steps).fill(Number.NaN),
      learned: arena.f64(1),
    })),
  );
  const desk = {
    record,
    levelCore: new Float64Array(coreFeatures.length),
    levelIndices: Int32Array.from(coreFeatures, indexOf),
    calmCore: new Float64Array(calmIndices.length),
    calmIndices,
    chances: new Float64Array(extent.classes),
    table: new Float64Array(extent.classes),
    share: new Float64Array(extent.classes),
  };
  return { design, extent, arena, shared, places, owns, together, print, clock, desk };
}

export const save = (forecaster: Forecaster): Uint8Array => joined(forecaster.arena);

/** Null when the bytes were saved under another design or by other rules: then the past has to be replayed. */
export function restore(design: Design, bytes: Uint8Array): Forecaster | null {
  const forecaster = newForecaster(design);
  const known = refilled(forecaster.arena, bytes) && forecaster.print[0] === fingerprint(design);
  return known ? forecaster : null;
}

/** To be raised with every change that gives saved numbers another meaning. */
const RULES = 1;

/** FNV-1a, 32 bits. */
function fingerprint(design: Design): number {
  const text = JSON.stringify([RULES, features, coreFeatures, signs, candidates, classCandidates, design]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
