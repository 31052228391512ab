import { allocate, allocateMixedPrecision, type MixedPrecision } from './buffer-layout.ts';
import { type Design, type Dimensions, designDimensions } from './design.ts';
import { type FeatureRow, newFeatureRow } from './feature-row.ts';
import { coreFeatures, featureIndex, features } from './features.ts';
import type { LevelScale } from './level-scale.ts';
import {
  type CalmModel,
  calmCoreIndices,
  calmExpertNames,
  calmFeatures,
  newCalmModel,
  newPlaceCalmModel,
} from './models/calm-model.ts';
import {
  type ClassModel,
  classExpertNames,
  newClassModel,
  newPlaceClassModel,
  type PlaceClassModel,
} from './models/class-model.ts';
import {
  type LevelModel,
  newLevelModel,
  newPlaceLevelModel,
  type PlaceLevelModel,
} from './models/level-model.ts';
import type { Regression } from './models/recursive-least-squares.ts';
import { newPlace, type Place } from './place.ts';

/**
 * The memory of a forecaster. State that all places share is one buffer. The state of each place is a fixed number of
 * bytes; many places follow each other in a block, so that thousands of places are a few byte arrays and no objects.
 * To work on a place its bytes are copied into the one workspace (`loadPlace`), where typed arrays view them and
 * learned numbers are widened to double precision, and copied back when they have changed (`storeLearned`,
 * `storePlace`). The layout follows from the design (see buffer-layout.ts), so the bytes can be saved as they are.
 */
export interface Forecaster {
  design: Design;
  dimensions: Dimensions;
  shared: SharedState;
  /** The bytes of `shared`. */
  sharedBytes: Uint8Array;
  /** The stored state of the places: each block holds the bytes of some places, one after the other. */
  blocks: Uint8Array[];
  workspace: Workspace;
}

/** For one horizon: the models that all places share. */
export interface SharedModels {
  level: LevelModel;
  calm: CalmModel;
  classes: ClassModel;
}

/** For one horizon: the models of one place, and its forecasts whose outcome is not known yet. */
export interface PlaceModels {
  level: PlaceLevelModel;
  calm: Regression;
  classes: PlaceClassModel;
  /** Feature rows, a ring over slots. */
  pending: Float16Array;
  /** The slot at which each was made; 0 for none. */
  pendingSlots: Uint32Array;
}

export interface SharedState {
  /** Of the design that the bytes belong to. */
  fingerprint: Float64Array;
  /** The last slot learned; NaN before the first. */
  lastSlot: Float64Array;
  /** The mean deviation over all places: a ring buffer of the last hour. */
  meanDeviations: Float64Array;
  /** By horizon. */
  models: SharedModels[];
  /** Outcomes learned from, by place and horizon. */
  outcomeCounts: Float64Array;
}

/** The place that is loaded, and scratch space. Changes to the place are lost unless they are stored. */
export interface Workspace extends MixedPrecision {
  place: Place;
  /** By horizon. */
  models: PlaceModels[];
  /** The stored form of the place and its models. */
  bytes: Uint8Array;
  /** The inputs of the forecast being made or learned from. */
  row: FeatureRow;
  levelCore: Float64Array;
  levelIndices: Int32Array;
  calmCore: Float64Array;
  calmIndices: Int32Array;
  probabilities: Float64Array;
  tableShares: Float64Array;
  hourShares: Float64Array;
}

/**
 * Blocks of about this size are saved and restored one by one, so that saving thousands of places needs no second
 * copy.
 */
const BLOCK_BYTES = 750_000;

/** A forecaster that has learned nothing. It reuses the blocks of `old`, which must not be used any more. */
export function newForecaster(design: Design, old?: Forecaster): Forecaster {
  const dimensions = designDimensions(design);
  const { built: shared, bytes: sharedBytes } = allocate((layout) => ({
    fingerprint: layout.f64(1).fill(designFingerprint(design)),
    lastSlot: layout.f64(1).fill(Number.NaN),
    meanDeviations: layout.f64(dimensions.hour + 1),
    outcomeCounts: layout.f64(dimensions.places * dimensions.horizons),
    models: design.horizons.map(() => ({
      level: newLevelModel(layout, dimensions),
      calm: newCalmModel(layout, dimensions),
      classes: newClassModel(layout, dimensions),
    })),
  }));
  const workspace = newWorkspace(design, dimensions);
  const { bytes } = workspace;
  const perBlock = Math.max(1, Math.floor(BLOCK_BYTES / bytes.length));
  const blocks: Uint8Array[] = [];
  for (let first = 0; first < dimensions.places; first += perBlock) {
    const size = Math.min(perBlock, dimensions.places - first) * bytes.length;
    const used = old?.blocks[blocks.length];
    const block = used?.length === size ? used : new Uint8Array(size);
    for (let at = 0; at < block.length; at += bytes.length) block.set(bytes, at);
    blocks.push(block);
  }
  return { design, dimensions, shared, sharedBytes, blocks, workspace };
}

function newWorkspace(design: Design, dimensions: Dimensions): Workspace {
  const row = newFeatureRow(dimensions);
  const calmIndices = calmCoreIndices(dimensions);
  const { built, ...memory } = allocateMixedPrecision((layout) => ({
    place: newPlace(layout, dimensions, design.scales[0] as LevelScale),
    models: design.horizons.map((steps) => ({
      level: newPlaceLevelModel(layout),
      calm: newPlaceCalmModel(layout),
      classes: newPlaceClassModel(layout, dimensions),
      pending: layout.f16(steps * row.values.length),
      pendingSlots: layout.u32(steps),
    })),
  }));
  return {
    ...built,
    ...memory,
    row,
    levelCore: new Float64Array(coreFeatures.length),
    levelIndices: Int32Array.from(coreFeatures, featureIndex),
    calmCore: new Float64Array(calmIndices.length),
    calmIndices,
    probabilities: new Float64Array(dimensions.classes),
    tableShares: new Float64Array(dimensions.classes),
    hourShares: new Float64Array(dimensions.classes),
  };
}

/** Loads place `p` into the workspace. */
export function loadPlace({ design, workspace, blocks }: Forecaster, p: number): Place {
  const { bytes, place, working, stored } = workspace;
  const [block, at] = findBlock(blocks, bytes.length, p);
  bytes.set(block.subarray(at, at + bytes.length));
  working.set(stored);
  place.scale = design.scales[p] as LevelScale;
  return place;
}

/** Stores the loaded place with all that it has learned. */
export function storeLearned(forecaster: Forecaster, p: number): void {
  narrowToStored(forecaster.workspace);
  storePlace(forecaster, p);
}

/** Stores the loaded place when none of its double-precision numbers has changed, only pending forecasts. */
export function storePlace({ workspace: { bytes }, blocks }: Forecaster, p: number): void {
  const [block, at] = findBlock(blocks, bytes.length, p);
  block.set(bytes, at);
}

/** Rounds the working numbers to single precision, into the bytes of the workspace. */
function narrowToStored({ working, stored }: MixedPrecision): void {
  for (let i = 0; i < stored.length; i++) stored[i] = working[i] as number;
}

/** The block of place `p`, and the offset of the place in it. */
function findBlock(blocks: readonly Uint8Array[], placeBytes: number, p: number): [Uint8Array, number] {
  const perBlock = (blocks[0] as Uint8Array).length / placeBytes;
  return [blocks[Math.floor(p / perBlock)] as Uint8Array, (p % perBlock) * placeBytes];
}

/** The state in parts to save: the shared state, then the blocks of places. They are the live bytes, not copies. */
export const stateParts = ({ sharedBytes, blocks }: Forecaster): readonly Uint8Array[] => [
  sharedBytes,
  ...blocks,
];

/** Loads one saved part; false, with nothing changed, when it does not belong to this design. */
export function loadStatePart(forecaster: Forecaster, n: number, bytes: Uint8Array): boolean {
  const part = stateParts(forecaster)[n];
  if (part?.length !== bytes.length) return false;
  // The fingerprint is the first number of the shared state.
  if (n === 0 && !part.subarray(0, 8).every((byte, i) => byte === bytes[i])) return false;
  part.set(bytes);
  return true;
}

/** To be raised with every change that gives saved numbers another meaning. */
const STATE_VERSION = 3;

/** FNV-1a, 32 bits, over the design and the names of all inputs. */
function designFingerprint(design: Design): number {
  const text = JSON.stringify([
    STATE_VERSION,
    features,
    coreFeatures,
    calmFeatures,
    calmExpertNames,
    classExpertNames,
    design,
  ]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
