import { categories } from '../../../src/domain/city/city.ts';

// The tool table of the interface, as data: all tools in its order, with the bounds and defaults it gives.
export interface Argument {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  required?: boolean;
  /** Minimum and maximum: of a number, of a string's length, of an array's items. */
  range?: [number, number];
  default?: unknown;
  choices?: string[];
  /** A value outside the range is clamped, not refused. */
  clamped?: boolean;
  /** Keys of an object, or of each item of an array. */
  inner?: Record<string, Argument>;
  /** No other keys are allowed in it. */
  closed?: boolean;
  /** A value that is accepted, and some that are not. */
  sample?: unknown;
  refused?: unknown[];
}

const needed = (sample: unknown, more: Partial<Argument> = {}): Argument => ({
  type: 'string',
  required: true,
  sample,
  ...more,
});
const integer = (range: [number, number], fallback: number): Argument => ({
  type: 'integer',
  range,
  default: fallback,
});
const number = (range: [number, number], fallback: number): Argument => ({
  type: 'number',
  range,
  default: fallback,
});
const since = (fallback: string): Argument => ({
  type: 'string',
  choices: ['1h', '1d', '7d', '30d', 'all'],
  default: fallback,
});
const flag: Argument = { type: 'boolean', default: false };
const share: Argument = { type: 'number', range: [0, 1] };
const text: Argument = { type: 'string' };

const pocket_id = needed('tiongbahru');
const anyPocket: Argument = { type: 'string', sample: 'tiongbahru' };
const outlet_id = needed('7d9f6c1e-4b52-4f0c-9a3e-2f6b8c1d0e5a');
const month_iso: Argument = {
  type: 'string',
  sample: '2026-10',
  refused: ['2026-1', '26-10', '2026-10-01', 'october'],
};

const prediction = {
  pocket_id: 'tiongbahru',
  horizon_minutes: 60,
  predicted_state: 'calm-productive',
  predicted_calm_probability: 0.5,
  confidence: 0.5,
};

export const toolTable: Record<string, Record<string, Argument>> = {
  list_pockets: {},
  get_pocket_moment: { pocket_id },
  get_observed_outlet: { outlet_id },
  get_pocket_sustainability: { pocket_id, window_days: integer([1, 365], 30) },
  get_pocket_moment_quality: { pocket_id },
  get_merchant_readiness: { pocket_id, limit: integer([1, 100], 25) },
  get_pocket_equilibrium: { pocket_id, hours: integer([1, 720], 24) },
  get_pocket_packages: { pocket_id, limit: integer([1, 50], 10) },
  get_live_moment_story: { pocket_id },
  get_available_experiences: { pocket_id },
  lookup_pocket_by_name: {
    query: needed('holland v', { range: [1, 80], refused: ['x'.repeat(81)] }),
  },
  get_pocket_atmosphere: { pocket_id, hours: number([1, 24], 4) },
  get_pocket_perception: { pocket_id, hours: number([0.25, 24], 4) },
  get_pocket_predictions: {
    pocket_id: anyPocket,
    generator: text,
    since: since('7d'),
    revealed_only: flag,
    limit: integer([1, 500], 50),
  },
  get_pocket_silence: { pocket_id: anyPocket },
  get_intent_substrate: { pocket_id, slug: needed('quiet-now') },
  score_legitimacy: {
    pocket_id,
    candidate_action: needed('nudge'),
    user_context: {
      type: 'object',
      inner: { user_id: text, fatigue_score: share, last_dismissal_at: text },
      sample: '{"fatigue_score": 0.2, "mood": ["any", "other", "key"]}',
      refused: [{ fatigue_score: 1.1 }, [], 'tired'],
    },
    merchant_context: {
      type: 'object',
      inner: { id: text, idle_pressure: share },
      sample: { idle_pressure: 1, extra: true },
      refused: [{ idle_pressure: -0.1 }, 7],
    },
    channel: text,
  },
  get_pocket_futures: { pocket_id },
  get_accuracy_report: {
    since: since('30d'),
    pocket_id: anyPocket,
    prediction_type: {
      type: 'string',
      choices: [
        'quiet_window',
        'rain_comfort',
        'movement_friction',
        'offer_intensity',
        'silence_correctness',
        'other',
      ],
    },
    include_shadow: flag,
  },
  get_pocket_counterfactuals: { pocket_id, hours: number([1, 720], 24), limit: number([1, 500], 50) },
  get_state_of_pocket: { pocket_id, month_iso },
  simulate_outlet_autopilot: { outlet_id, days_back: { ...number([1, 90], 30), clamped: true } },
  get_state_of_restraint: { month_iso },
  get_legitimacy_index_today: { pocket_id: anyPocket },
  get_weekly_report: {
    pocket_id,
    week_iso: { type: 'string', sample: '2026-W45', refused: ['2026-45', 'W45', '2026-W5'] },
  },
  submit_benchmark_predictions: {
    submitter_name: needed('a system', { range: [1, 120], refused: ['x'.repeat(121)] }),
    prediction_window_start: needed('2026-11-11T04:00:00Z'),
    prediction_window_end: needed('2026-11-12T04:00:00Z'),
    predictions: {
      type: 'array',
      required: true,
      range: [1, 1000],
      closed: true,
      inner: {
        pocket_id: { type: 'string', required: true },
        horizon_minutes: { type: 'number', required: true },
        predicted_state: { type: 'string', required: true },
        predicted_calm_probability: { ...share, required: true },
        confidence: { ...share, required: true },
      },
      sample: [prediction],
      refused: [
        [],
        [{ ...prediction, extra: 1 }],
        [{ ...prediction, confidence: 1.1 }],
        Array(1001).fill(prediction),
      ],
    },
    contact_email: { type: 'string', sample: 'a@b.test', refused: ['x'.repeat(201)] },
    system_description: { type: 'string', sample: 'rules', refused: ['x'.repeat(2001)] },
  },
  get_benchmark_leaderboard: { limit: integer([1, 200], 50) },
  find_calm_pocket_now: { min_calm_probability: number([0, 1], 0.6), top_n: integer([1, 10], 3) },
  compare_pockets: { pocket_id_a: needed('tiongbahru'), pocket_id_b: needed('dempsey') },
};

/** The tools that are listed on request only (docs/decisions/069-tools-on-request.md). */
export const onRequestTable: Record<string, Record<string, Argument>> = {
  plan_visit: {
    place: { type: 'string', sample: 'Tiong Bahru' },
    day: { type: 'string', sample: 'tomorrow' },
    hour: { type: 'integer', range: [0, 23] },
    purpose: { type: 'string', sample: 'work' },
    near: { type: 'string', sample: 'Orchard' },
    limit: integer([1, 10], 5),
  },
  find_outlet: {
    name: { type: 'string', sample: 'coffee' },
    kind: { type: 'string', choices: [...categories] },
    pocket_id: anyPocket,
    open_at: { type: 'string', sample: 'now' },
    limit: integer([1, 20], 8),
  },
  what_changed: {
    from_day: { type: 'string', sample: 'yesterday' },
    to_day: { type: 'string', sample: 'today' },
    pocket_id: anyPocket,
  },
  explain_time: { pocket_id, at: { type: 'string', default: 'now', sample: 'yesterday 19:00' } },
};

/** A sample of every argument that a tool requires. */
export const requiredArguments = (name: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(toolTable[name] ?? {}).flatMap(([argument, { required, sample }]) =>
      required ? [[argument, sample]] : [],
    ),
  );
