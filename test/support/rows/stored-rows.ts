// Columns of stored rows that are never null, but for the slot and the pocket.

export const momentRow = {
  ...{ state: 1, band: 1, reasons: 0, half_life_minutes: 45 },
  ...{ calm_probability_milli: 0, calm_level_milli: 0, calm_change_milli: 0, signal_saturation_milli: 0 },
  ...{ fragility_milli: 0, window_expected_calm_milli: 0, usefulness_milli: 0, urgency_milli: 0 },
  ...{ calmness_milli: 0, user_need_milli: 0, layer_time_milli: 0, layer_human_energy_milli: 0 },
  ...{ layer_attention_density_milli: 0, layer_intent_milli: 0, layer_temporal_milli: 0, fatigue_milli: 0 },
  ...{ mqs_ten_thousandths: 0, resonance_ten_thousandths: 0 },
};

export const readingRow = {
  ...{ stress_milli: 0, calm_milli: 0, social_energy_milli: 0, productive_milli: 0, completeness_milli: 0 },
  ...{ state: 1, anomaly_flag: 0 },
};

export const snapshotRow = { completeness_milli: 0, substrate: 1, provenance: '' };
