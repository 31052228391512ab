import { comparePockets } from './compare-pockets.ts';
import type { Operation } from './define.ts';
import { findCalmPocketNow } from './find-calm-pocket-now.ts';
import { getAccuracyReport } from './get-accuracy-report.ts';
import { getAvailableExperiences } from './get-available-experiences.ts';
import { getBenchmarkLeaderboard } from './get-benchmark-leaderboard.ts';
import { getBenchmarkScores } from './get-benchmark-scores.ts';
import { getChangelog } from './get-changelog.ts';
import { getComposedNarrative } from './get-composed-narrative.ts';
import { getDealProposal } from './get-deal-proposal.ts';
import { getExplanation } from './get-explanation.ts';
import { getHeartbeat } from './get-heartbeat.ts';
import { getIntent } from './get-intent.ts';
import { getIntentSubstrate } from './get-intent-substrate.ts';
import { getLedgerEntry } from './get-ledger-entry.ts';
import { getLegitimacyIndex } from './get-legitimacy-index.ts';
import { getLegitimacyIndexToday } from './get-legitimacy-index-today.ts';
import { getLiveMomentStory } from './get-live-moment-story.ts';
import { getMerchantReadiness } from './get-merchant-readiness.ts';
import { getNetworkNow } from './get-network-now.ts';
import { getNotebook } from './get-notebook.ts';
import { getObservedOutlet } from './get-observed-outlet.ts';
import { getObservedPatterns } from './get-observed-patterns.ts';
import { getPocketAtmosphere } from './get-pocket-atmosphere.ts';
import { getPocketCounterfactuals } from './get-pocket-counterfactuals.ts';
import { getPocketDay } from './get-pocket-day.ts';
import { getPocketEquilibrium } from './get-pocket-equilibrium.ts';
import { getPocketFutures } from './get-pocket-futures.ts';
import { getPocketLive } from './get-pocket-live.ts';
import { getPocketMoment } from './get-pocket-moment.ts';
import { getPocketMomentQuality } from './get-pocket-moment-quality.ts';
import { getPocketPackages } from './get-pocket-packages.ts';
import { getPocketPerception } from './get-pocket-perception.ts';
import { getPocketPredictions } from './get-pocket-predictions.ts';
import { getPocketSilence } from './get-pocket-silence.ts';
import { getPocketSustainability } from './get-pocket-sustainability.ts';
import { getResonance } from './get-resonance.ts';
import { getSilenceCounts } from './get-silence-counts.ts';
import { getStateOfPocket } from './get-state-of-pocket.ts';
import { getStateOfRestraint } from './get-state-of-restraint.ts';
import { getStream } from './get-stream.ts';
import { getSustainability } from './get-sustainability.ts';
import { getTrustReport } from './get-trust-report.ts';
import { getWeeklyReport } from './get-weekly-report.ts';
import { listAccuracyDays } from './list-accuracy-days.ts';
import { listExplanations } from './list-explanations.ts';
import { listLedgerEntries } from './list-ledger-entries.ts';
import { listPockets } from './list-pockets.ts';
import { listPredictions } from './list-predictions.ts';
import { listSilenceVindications } from './list-silence-vindications.ts';
import { listStatesOfPocket } from './list-states-of-pocket.ts';
import { listStatesOfRestraint } from './list-states-of-restraint.ts';
import { listWeeklyReports } from './list-weekly-reports.ts';
import { lookupPocketByName } from './lookup-pocket-by-name.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';
import { simulateOutletAutopilot } from './simulate-outlet-autopilot.ts';
import { submitBenchmarkPredictions } from './submit-benchmark-predictions.ts';

/** In the order of the interface's tool table, and after the tools what is asked over REST alone. */
export const operations: readonly Operation[] = [
  listPockets,
  getPocketMoment,
  getObservedOutlet,
  getPocketSustainability,
  getPocketMomentQuality,
  getMerchantReadiness,
  getPocketEquilibrium,
  getPocketPackages,
  getLiveMomentStory,
  getAvailableExperiences,
  lookupPocketByName,
  getPocketAtmosphere,
  getPocketPerception,
  getPocketPredictions,
  getPocketSilence,
  getIntentSubstrate,
  scoreLegitimacy,
  getPocketFutures,
  getAccuracyReport,
  getPocketCounterfactuals,
  getStateOfPocket,
  simulateOutletAutopilot,
  getStateOfRestraint,
  getLegitimacyIndexToday,
  getWeeklyReport,
  submitBenchmarkPredictions,
  getBenchmarkLeaderboard,
  findCalmPocketNow,
  comparePockets,
  getTrustReport,
  getHeartbeat,
  getSilenceCounts,
  listSilenceVindications,
  listExplanations,
  getExplanation,
  getSustainability,
  getPocketLive,
  getObservedPatterns,
  getResonance,
  getIntent,
  getDealProposal,
  getComposedNarrative,
  getLegitimacyIndex,
  getBenchmarkScores,
  listPredictions,
  listWeeklyReports,
  listStatesOfPocket,
  listStatesOfRestraint,
  getNotebook,
  getChangelog,
  getStream,
  getNetworkNow,
  getPocketDay,
  listAccuracyDays,
  listLedgerEntries,
  getLedgerEntry,
];
