import { comparePockets } from './compare-pockets.ts';
import type { Operation } from './define.ts';
import { findCalmPocketNow } from './find-calm-pocket-now.ts';
import { getAccuracyReport } from './get-accuracy-report.ts';
import { getBenchmarkLeaderboard } from './get-benchmark-leaderboard.ts';
import { getBenchmarkScores } from './get-benchmark-scores.ts';
import { getComposedNarrative } from './get-composed-narrative.ts';
import { getExplanation } from './get-explanation.ts';
import { getLegitimacyIndex } from './get-legitimacy-index.ts';
import { getLegitimacyIndexToday } from './get-legitimacy-index-today.ts';
import { getLiveMomentStory } from './get-live-moment-story.ts';
import { getPocketAtmosphere } from './get-pocket-atmosphere.ts';
import { getPocketCounterfactuals } from './get-pocket-counterfactuals.ts';
import { getPocketEquilibrium } from './get-pocket-equilibrium.ts';
import { getPocketFutures } from './get-pocket-futures.ts';
import { getPocketLive } from './get-pocket-live.ts';
import { getPocketMoment } from './get-pocket-moment.ts';
import { getPocketMomentQuality } from './get-pocket-moment-quality.ts';
import { getPocketPackages } from './get-pocket-packages.ts';
import { getPocketPerception } from './get-pocket-perception.ts';
import { getPocketPredictions } from './get-pocket-predictions.ts';
import { getPocketSilence } from './get-pocket-silence.ts';
import { getResonance } from './get-resonance.ts';
import { getSilenceCounts } from './get-silence-counts.ts';
import { getTrustReport } from './get-trust-report.ts';
import { listExplanations } from './list-explanations.ts';
import { listPockets } from './list-pockets.ts';
import { listPredictions } from './list-predictions.ts';
import { listSilenceVindications } from './list-silence-vindications.ts';
import { lookupPocketByName } from './lookup-pocket-by-name.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';
import { submitBenchmarkPredictions } from './submit-benchmark-predictions.ts';

/** In the order of the interface's tool table, and after the tools what is asked over REST alone. */
export const operations: readonly Operation[] = [
  listPockets,
  getPocketMoment,
  getPocketMomentQuality,
  getPocketEquilibrium,
  getPocketPackages,
  getLiveMomentStory,
  lookupPocketByName,
  getPocketAtmosphere,
  getPocketPerception,
  getPocketPredictions,
  getPocketSilence,
  scoreLegitimacy,
  getPocketFutures,
  getAccuracyReport,
  getPocketCounterfactuals,
  getLegitimacyIndexToday,
  submitBenchmarkPredictions,
  getBenchmarkLeaderboard,
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
  getLegitimacyIndex,
  getBenchmarkScores,
  listPredictions,
];
