/** The states of readiness, and the causes that are stored for them (docs/formulas.md, "Merchant readiness"). */
export const readinessStates = [
  'READY_FOR_COMFORT',
  'READY_FOR_SOCIAL',
  'READY_FOR_FOCUS',
  'READY_FOR_FAMILIES',
  'READY_FOR_TAKEAWAY',
  'READY_FOR_SPILLOVER',
  'PROTECTING_ATMOSPHERE',
  'DO_NOT_PUSH',
] as const;
export type ReadinessState = (typeof readinessStates)[number];

/** What one outlet is ready for at a slot. */
export interface Readiness {
  slot: number;
  outlet_id: string;
  pocket_id: string;
  state: ReadinessState;
  reason: string;
  /** Share of its inputs that was observed, 0..1. */
  confidence: number;
  /** The signals that contributed. */
  signals: string[];
  /** How far use is under the outlet's usual for the hour, 0..1; null when closed or unobserved. */
  idle_pressure: number | null;
}

/** What is stored; state, reason and signals are derived from the cause. */
export interface ReadinessRecord
  extends Pick<Readiness, 'slot' | 'outlet_id' | 'pocket_id' | 'confidence' | 'idle_pressure'> {
  cause: Cause;
}

interface Meaning {
  state: ReadinessState;
  words: string;
  /** Signals beside the opening hours, which always count. */
  signals: string[];
}

const inside = ['outlet_activity'];
const outside = ['outlet_activity', 'atmosphere'];

/** The causes of a state. Stored rows name them, so the meaning of a cause must never change. */
export const causes = {
  closed: { state: 'DO_NOT_PUSH', words: 'closed, outside its opening hours', signals: [] },
  closing: { state: 'DO_NOT_PUSH', words: 'about to close', signals: [] },
  unobserved: { state: 'DO_NOT_PUSH', words: 'open, with too little observed to tell more', signals: [] },
  shut: {
    state: 'DO_NOT_PUSH',
    words: 'nobody in it within its opening hours, so it may be shut',
    signals: inside,
  },
  full: { state: 'DO_NOT_PUSH', words: 'close to full', signals: inside },
  tense: { state: 'DO_NOT_PUSH', words: 'the street around it is tense', signals: outside },
  unsuited: { state: 'DO_NOT_PUSH', words: 'the hour suits little that it offers', signals: outside },
  usual: { state: 'DO_NOT_PUSH', words: 'no quieter than its usual', signals: outside },
  night: { state: 'PROTECTING_ATMOSPHERE', words: 'open in an hour for sleep', signals: inside },
  fragile: {
    state: 'PROTECTING_ATMOSPHERE',
    words: 'the calm around it tips easily',
    signals: [...outside, 'moment'],
  },
  heard: {
    state: 'PROTECTING_ATMOSPHERE',
    words: 'enough was said here recently',
    signals: [...outside, 'moment'],
  },
  settled: {
    state: 'PROTECTING_ATMOSPHERE',
    words: 'calm around it, and inside no quieter than its usual',
    signals: outside,
  },
  rain: {
    state: 'READY_FOR_COMFORT',
    words: 'room under cover while it rains',
    signals: [...outside, 'rain_mm'],
  },
  ease: { state: 'READY_FOR_COMFORT', words: 'room in a calm hour', signals: outside },
  social: { state: 'READY_FOR_SOCIAL', words: 'room while people are out in company', signals: outside },
  focus: { state: 'READY_FOR_FOCUS', words: 'room in a working hour', signals: outside },
  families: { state: 'READY_FOR_FAMILIES', words: 'room in an hour that families keep', signals: outside },
  takeaway: {
    state: 'READY_FOR_TAKEAWAY',
    words: 'a free counter while people pass through',
    signals: outside,
  },
  overflow: {
    state: 'READY_FOR_SPILLOVER',
    words: 'room while places nearby are fuller than usual',
    signals: [...inside, 'neighbouring_outlets'],
  },
  crowd: {
    state: 'READY_FOR_SPILLOVER',
    words: 'room while the streets nearby are crowded',
    signals: [...inside, 'neighbouring_pockets'],
  },
} as const satisfies Record<string, Meaning>;
export type Cause = keyof typeof causes;

export function readinessFrom(record: ReadinessRecord): Readiness {
  const { state, words, signals }: Meaning = causes[record.cause];
  const { slot, outlet_id, pocket_id, confidence, idle_pressure } = record;
  const level = state.startsWith('READY') && idle_pressure !== null ? `; ${levelWords(idle_pressure)}` : '';
  return {
    slot,
    outlet_id,
    pocket_id,
    state,
    reason: `${words}${level}.`,
    confidence,
    signals: ['opening_hours', ...signals, ...(idle_pressure === null ? [] : ['usual_level'])],
    idle_pressure,
  };
}

const levelWords = (idle: number): string =>
  idle >= 0.5 ? 'far under its usual level' : idle >= 0.2 ? 'under its usual level' : 'near its usual level';
