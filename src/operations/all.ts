import { comparePockets } from './compare-pockets.ts';
import type { Operation } from './define.ts';
import { findCalmPocketNow } from './find-calm-pocket-now.ts';
import { getComposedNarrative } from './get-composed-narrative.ts';
import { getExplanation } from './get-explanation.ts';
import { getPocketAtmosphere } from './get-pocket-atmosphere.ts';
import { getPocketCounterfactuals } from './get-pocket-counterfactuals.ts';
import { getPocketLive } from './get-pocket-live.ts';
import { getPocketMoment } from './get-pocket-moment.ts';
import { getPocketMomentQuality } from './get-pocket-moment-quality.ts';
import { getPocketPackages } from './get-pocket-packages.ts';
import { getPocketSilence } from './get-pocket-silence.ts';
import { getResonance } from './get-resonance.ts';
import { getSilenceCounts } from './get-silence-counts.ts';
import { getTrustReport } from './get-trust-report.ts';
import { listExplanations } from './list-explanations.ts';
import { listPockets } from './list-pockets.ts';
import { listSilenceVindications } from './list-silence-vindications.ts';
import { lookupPocketByName } from './lookup-pocket-by-name.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';

/** In the order of the interface's tool table, and after the tools what is asked over REST alone. */
export const operations: readonly Operation[] = [
  listPockets,
  getPocketMoment,
  getPocketMomentQuality,
  getPocketPackages,
  lookupPocketByName,
  getPocketAtmosphere,
  getPocketSilence,
  scoreLegitimacy,
  getPocketCounterfactuals,
  findCalmPocketNow,
  comparePockets,
  getTrustReport,
  getSilenceCounts,
  listSilenceVindications,
  listExplanations,
  getExplanation,
  getPocketLive,
  getResonance,
  getComposedNarrative,
];
