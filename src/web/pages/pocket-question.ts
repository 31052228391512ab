import { composeOperations } from '../../operations/core/compose-operations.ts';
import { pocketId } from '../../operations/core/fields.ts';
import { getLiveMomentStory } from '../../operations/decision/get-live-moment-story.ts';
import { getPocketPackages } from '../../operations/decision/get-pocket-packages.ts';
import { getPocketSilence } from '../../operations/decision/get-pocket-silence.ts';
import { getResonance } from '../../operations/decision/get-resonance.ts';
import { getPocketDay } from '../../operations/pocket/get-pocket-day.ts';
import { getPocketEquilibrium } from '../../operations/pocket/get-pocket-equilibrium.ts';
import { getPocketMoment } from '../../operations/pocket/get-pocket-moment.ts';
import { getPocketFutures } from '../../operations/prediction/get-pocket-futures.ts';
import { listPredictions } from '../../operations/prediction/list-predictions.ts';

export const HOUR_AHEAD = 'pocket_projection_60m';

export const pocketQuestion = composeOperations('page_pocket', { pocket_id: pocketId }, ({ pocket_id }) => ({
  moment: [getPocketMoment, { pocket_id }],
  story: [getLiveMomentStory, { pocket_id }],
  day: [getPocketDay, { pocket_id }],
  futures: [getPocketFutures, { pocket_id }],
  resonance: [getResonance, { pocket_id }],
  silence: [getPocketSilence, { pocket_id }],
  packages: [getPocketPackages, { pocket_id, limit: 3 }],
  reveals: [listPredictions, { pocket_id, generator: HOUR_AHEAD, since: '1d', revealed: 'only', limit: 12 }],
  equilibrium: [getPocketEquilibrium, { pocket_id }],
}));

export interface Ahead {
  at: string;
  minutes_ahead: number;
  prediction_id: string;
  expected_state: string;
  expected_calm: number;
  confidence: number;
  likely: { low: number; high: number; n: number } | null;
}

export interface Prediction {
  id: string;
  reveal_at: string;
  prediction_payload: { forecast: { expected_state: string; expected_calm: number }; confidence: number };
  actual_observation: { primary_state: string; calm: number } | null;
  accuracy_score: number | null;
}

export interface PocketAnswers {
  asked: { pocket_id: string };
  moment:
    | { available: false }
    | {
        primary_state: string;
        calm_probability: number;
        signal_saturation: number;
        movement_friction: number;
        fragility: number;
        half_life_minutes: number;
        expires_at: string;
        silence_reasons: string[];
      };
  story: {
    story: null | {
      composed_at: string;
      expires_at: string;
      why_now: string;
      why_this_merchant: string;
      why_users_care: string;
      why_pocket_benefits: string;
    };
  };
  day: {
    readings: { captured_at: string; calm: number; stress: number; primary_state: string }[];
    ahead: Ahead[];
  };
  futures: {
    horizons: { summary_line: string }[];
    sensitivity_factors: { summary_line: string }[];
  };
  resonance: {
    resonance: null | {
      score: number;
      should_surface: boolean;
      threshold: number;
      decay_reason: string;
      layers: Record<string, { score: number; reasoning: string }>;
    };
  };
  silence:
    | { available: false }
    | {
        signal_status_code: string;
        justification: string;
        outlook: string[];
        next_possible_window: string;
      };
  packages: {
    packages: {
      identity: { id: string; composed_at: string };
      experience: { composed_text: string };
      tier: string;
    }[];
  };
  reveals: {
    predictions: Prediction[];
    stats: { by_generator: { generator: string; n: number; accuracy: number | null }[] };
  };
  equilibrium: {
    computed_at: string | null;
    composite: number | null;
    direction: string;
    dimensions: Record<string, number | null>;
    reasons: Record<string, string>;
  };
}
