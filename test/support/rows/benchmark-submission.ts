// A submission to the benchmark that is valid at `NOON`.
import { HOUR, iso } from '../../../src/domain/time/slot.ts';
import { NOON } from '../services/service.ts';

export const prediction = {
  pocket_id: 'tiongbahru',
  horizon_minutes: 60,
  predicted_state: 'calm_productive',
  predicted_calm_probability: 0.6,
  confidence: 0.5,
};

export const submission = (changed: object = {}) => ({
  submitter_name: 'a system',
  prediction_window_start: iso(NOON),
  prediction_window_end: iso(NOON + 3 * HOUR),
  predictions: [prediction],
  contact_email: 'someone@example.org',
  system_description: 'rules of thumb',
  ...changed,
});

/** One that is valid now. */
export const currentSubmission = (pocket_id: string, now = Date.now()) =>
  submission({
    prediction_window_start: iso(now + HOUR),
    prediction_window_end: iso(now + 4 * HOUR),
    predictions: [{ ...prediction, pocket_id }],
  });
