// Which operation shows which figure of a moment, and where: its REST address and its tool have the same fields, and the
// tool's text is searched too.

import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import {
  all,
  between,
  COUNTS,
  DISAGREED,
  type Extract,
  FORECAST,
  field,
  LEVEL,
  MEANS,
  momentFields,
  OFFER,
  PAST,
  PROBABILITY,
  reasons,
  SAMPLE,
  type Surface,
  silenceField,
  words,
} from './extract.ts';
import { FEW, SPOKEN_END } from './figures.ts';

/** The words of one field. */
const fieldWords =
  (path: string, pattern: RegExp): Extract =>
  (answer, moment) =>
    field(path)(answer, moment).flatMap((text) => words(pattern)({ ...answer, text }, moment));

const CHANCE = /calm \((\d+(?:\.\d+)?)\s?%\)/i;

interface ShownWindow {
  starts_at: string;
  ends_at: string;
  calm_probability: number;
}

/** The window of the pocket that is open now; none or one. */
const shownWindows = (json: unknown, pocket: string): ShownWindow[] =>
  (json as { pockets: { pocket_id: string; window: ShownWindow | null }[] }).pockets.flatMap(
    ({ pocket_id, window }) => (pocket_id === pocket && window ? [window] : []),
  );

const openWindows = (json: unknown, slot: number): ShownWindow[] =>
  (json as { windows: ShownWindow[] }).windows.filter(({ starts_at }) => Date.parse(starts_at) === slot);

export const operationSurfaces: Record<string, Surface> = {
  get_pocket_moment: {
    shows: {
      level: all(field('calm_level'), words(LEVEL)),
      probability: all(field('calm_probability'), words(PROBABILITY)),
      minutes: all(field('half_life_minutes'), words(/half-life (\d+) minutes/)),
      end: field('expires_at'),
      windowEnd: field('window_ends_at'),
      clock: words(/calm window until (\d\d:\d\d)/),
      reason: all(field('silence_reasons.0'), reasons()),
    },
  },
  list_pockets: {
    shows: {
      probability: field('details.@.calm_probability'),
      chance: words(CHANCE, (text, { pocket }) => between(text, `(${pocket}): `, '\n')),
    },
  },
  get_pocket_moment_quality: { shows: { probability: field('factors.calmness'), reason: reasons() } },
  get_pocket_packages: {
    shows: {
      spokenEnd: fieldWords('packages.#.experience.composed_text', SPOKEN_END),
    },
  },
  get_pocket_predictions: { shows: {}, otherwise: { level: PAST, probability: FORECAST } },
  simulate_outlet_autopilot: { shows: {}, otherwise: { reason: PAST, spokenEnd: PAST } },
  get_weekly_report: { shows: {}, otherwise: { level: PAST } },
  list_weekly_reports: { shows: {}, otherwise: { level: PAST } },
  list_experiences: { shows: {}, otherwise: { level: PAST, open: PAST, windowEnd: OFFER } },
  get_available_experiences: {
    shows: {},
    otherwise: { level: PAST, open: PAST, clock: PAST, windowEnd: OFFER },
  },
  get_trust_report: { shows: {}, otherwise: { reason: COUNTS } },
  get_silence_counts: { shows: {}, otherwise: { reason: COUNTS } },
  get_merchant_readiness: {
    shows: {
      outlets: all(field('outlet_count'), words(/active outlets: (\d+)/)),
      open: all(field('open_now_count', [FEW]), words(/(\d+|fewer than five) open now/)),
    },
  },
  get_live_moment_story: {
    shows: {
      end: field('story.expires_at'),
      open: all(field('story.receipts.outlets', [FEW]), words(/(\d+|fewer than five) open/)),
      reason: reasons(),
    },
  },
  get_pocket_atmosphere: { shows: { level: all(field('latest.calm'), words(LEVEL)) } },
  get_pocket_silence: {
    query: ({ pocket }) => `pocket=${pocket}`,
    shows: {
      reason: all(field('reason_text'), reasons()),
      clock: words(/likely until about (\d\d:\d\d)/),
    },
  },
  get_intent_substrate: {
    shows: {
      outlets: all(field('outlet_count'), words(/over (\d+) active outlets/)),
      open: all(field('open_now_count', [FEW]), words(/(\d+|fewer than five) open now/)),
      spokenEnd: words(SPOKEN_END),
    },
  },
  score_legitimacy: { shows: { reason: all(field('service_silent_because'), reasons()) } },
  get_pocket_futures: {
    shows: { level: words(LEVEL) },
    otherwise: { probability: FORECAST, chance: FORECAST },
  },
  get_pocket_counterfactuals: {
    shows: {
      ...silenceField('entries.#.substrate_snapshot.'),
      reason: ({ json }, { id }) => {
        type Listed = { entries: { id: string; reason: string }[]; reason_texts: Record<string, string> };
        const { entries, reason_texts } = json as Listed;
        return entries.filter((entry) => entry.id === id).map(({ reason }) => reason_texts[reason] ?? reason);
      },
      spokenEnd: fieldWords('entries.#.candidate_emission_text', SPOKEN_END),
    },
  },
  find_calm_pocket_now: {
    shows: {
      ...momentFields('pockets.@.', ['minutes', 'end', 'windowEnd']),
      probability: all(
        field('pockets.@.calm_probability'),
        words(PROBABILITY, (text, { pocket }) => between(text, `\n${pocket}:`, '\n')),
      ),
      clock: words(/until (\d\d:\d\d)/, (text, { pocket }) => between(text, `\n${pocket}:`, '\n')),
    },
  },
  compare_pockets: {
    shows: {
      ...momentFields('pocket_a.', ['level', 'probability', 'minutes']),
    },
  },
  get_explanation: {
    shows: {
      level: all(
        field('atmosphere.calm'),
        field('moment.calm_level'),
        field('payload.substrate.atmosphere.calm'),
      ),
      probability: all(field('moment.calm_probability'), field('payload.substrate.moment.calm_probability')),
      ...momentFields('moment.', ['minutes', 'end', 'windowEnd']),
      reason: field('reason_text'),
      spokenEnd: words(SPOKEN_END),
    },
  },
  list_explanations: {
    query: ({ pocket }) => `pocket=${pocket}&limit=1`,
    shows: { reason: reasons() },
  },
  list_silence_vindications: {
    query: ({ pocket }) => `pocket_id=${pocket}`,
    shows: { reason: field('entries.#.reason_text') },
  },
  get_pocket_live: {
    shows: { level: field('atmosphere_latest.calm') },
    otherwise: { spokenEnd: PAST, probability: FORECAST, reason: DISAGREED },
  },
  get_resonance: { shows: { end: field('resonance.decay_at') }, otherwise: { reason: DISAGREED } },
  list_predictions: { shows: {}, otherwise: { level: FORECAST, probability: FORECAST } },
  list_ledger_entries: { shows: {}, otherwise: { level: FORECAST, probability: FORECAST } },
  get_ledger_entry: { shows: {}, otherwise: { level: FORECAST, probability: FORECAST } },
  ledger_proof: { shows: {}, otherwise: { level: FORECAST, probability: FORECAST } },
  ledger_rows: { shows: {}, otherwise: { reason: PAST } },
  search_ledger: { shows: {}, otherwise: { level: FORECAST, probability: FORECAST } },
  get_intent: {
    shows: {
      outlets: field('pocket.outlet_count'),
      open: field('pocket.open_now_count', [FEW]),
    },
  },
  get_deal_proposal: { shows: { probability: words(PROBABILITY) }, otherwise: { clock: OFFER } },
  get_composed_narrative: { shows: { spokenEnd: words(SPOKEN_END) } },
  get_network_now: {
    shows: {
      ...momentFields('pockets.@.'),
      reason: field('pockets.@.silent_because'),
    },
    otherwise: { spokenEnd: PAST },
  },
  plan_visit: {
    shows: {
      level: field('pockets.@.expected.calm_level'),
      probability: field('pockets.@.expected.calm_probability'),
      chance: words(CHANCE),
      windowEnd: field('pockets.@.window.ends_at'),
      clock: words(/until (\d\d:\d\d)/),
      reason: field('pockets.@.silent_because'),
    },
  },
  find_outlet: {
    shows: { probability: field('outlets.0.pocket_calm.calm_probability'), chance: words(CHANCE) },
  },
  what_changed: {
    shows: {
      spokenEnd: words(SPOKEN_END, (text, { pocket, slot }) =>
        between(text, `${singapore.localDate(slot)} ${singapore.clockWithZone(slot)}, ${pocket}: '`, '\n'),
      ),
    },
    otherwise: { level: MEANS },
  },
  explain_time: {
    shows: {
      level: field('moment.calm_level'),
      probability: field('moment.calm_probability'),
      spokenEnd: fieldWords('line.text', SPOKEN_END),
      reason: field('reason_text'),
    },
  },
  list_calm_windows: {
    shows: {
      ...momentFields('pockets.@.'),
      probability: all(
        field('pockets.@.calm_probability'),
        field('pockets.@.expected.calm_probability'),
        ({ json }, { pocket }) =>
          shownWindows(json, pocket).map(({ calm_probability }) => String(calm_probability)),
      ),
      windowEnd: ({ json }, { pocket }) => shownWindows(json, pocket).map(({ ends_at }) => ends_at),
      reason: field('pockets.@.silent_because'),
    },
    otherwise: { spokenEnd: PAST },
  },
  get_stream: {
    shows: {
      spokenEnd: words(SPOKEN_END, (text, { id }) => between(text, `"id":"${id}"`, '}')),
    },
  },
  get_pocket_day: { shows: { level: field('readings.last.calm') }, otherwise: { probability: FORECAST } },
  get_pocket_week: { shows: {}, otherwise: { level: MEANS } },
  get_pocket_date: {
    shows: { level: field('readings.last.calm'), reason: field('decisions.last.reason_text') },
    otherwise: { spokenEnd: PAST },
  },
  get_calm_calendar: {
    shows: {
      windowEnd: ({ json }, { slot }) => openWindows(json, slot).map(({ ends_at }) => ends_at),
      probability: ({ json }, { slot }) =>
        openWindows(json, slot).map(({ calm_probability }) => String(calm_probability)),
    },
    otherwise: { chance: FORECAST },
  },
  openapi: { shows: {}, otherwise: { probability: SAMPLE, open: SAMPLE } },
  manifest: { shows: {}, otherwise: { open: SAMPLE } },
  well_known_manifest: { shows: {}, otherwise: { open: SAMPLE } },
  get_provenance: { shows: { level: field('reading.calm') } },
  list_outlets: { query: ({ pocket }) => `pocket=${pocket}`, shows: { outlets: field('count') } },
};
