// The list of operations. MCP, REST, OpenAPI, the docs page and the tests over all tools are loops over it.
import type { Operation } from './core/define.ts';
import { getComposedNarrative } from './decision/get-composed-narrative.ts';
import { getExplanation } from './decision/get-explanation.ts';
import { getLegitimacyIndex } from './decision/get-legitimacy-index.ts';
import { getLegitimacyIndexToday } from './decision/get-legitimacy-index-today.ts';
import { getLiveMomentStory } from './decision/get-live-moment-story.ts';
import { getPocketCounterfactuals } from './decision/get-pocket-counterfactuals.ts';
import { getPocketPackages } from './decision/get-pocket-packages.ts';
import { getPocketSilence } from './decision/get-pocket-silence.ts';
import { getResonance } from './decision/get-resonance.ts';
import { getSilenceCounts } from './decision/get-silence-counts.ts';
import { listExplanations } from './decision/list-explanations.ts';
import { listSilenceVindications } from './decision/list-silence-vindications.ts';
import { scoreLegitimacy } from './decision/score-legitimacy.ts';
import { explainTime } from './history/explain-time.ts';
import { getPocketCalendar } from './history/get-pocket-calendar.ts';
import { getPocketDate } from './history/get-pocket-date.ts';
import { getPocketSignals } from './history/get-pocket-signals.ts';
import { whatChanged } from './history/what-changed.ts';
import { checkLedger } from './ledger/check-ledger.ts';
import { searchLedger } from './ledger/search-ledger.ts';
import { getAvailableExperiences } from './merchant/get-available-experiences.ts';
import { getDealProposal } from './merchant/get-deal-proposal.ts';
import { getIntent } from './merchant/get-intent.ts';
import { getIntentSubstrate } from './merchant/get-intent-substrate.ts';
import { getMerchantReadiness } from './merchant/get-merchant-readiness.ts';
import { getObservedOutlet } from './merchant/get-observed-outlet.ts';
import { getObservedPatterns } from './merchant/get-observed-patterns.ts';
import { getOutletWeek } from './merchant/get-outlet-week.ts';
import { getPocketSustainability } from './merchant/get-pocket-sustainability.ts';
import { getSustainability } from './merchant/get-sustainability.ts';
import { listExperiences } from './merchant/list-experiences.ts';
import { listOutlets } from './merchant/list-outlets.ts';
import { simulateOutletAutopilot } from './merchant/simulate-outlet-autopilot.ts';
import { getProvenance } from './observation/get-provenance.ts';
import { listFeeds } from './observation/list-feeds.ts';
import { comparePockets } from './pocket/compare-pockets.ts';
import { findCalmPocketNow } from './pocket/find-calm-pocket-now.ts';
import { getNetworkNow } from './pocket/get-network-now.ts';
import { getPocketAtmosphere } from './pocket/get-pocket-atmosphere.ts';
import { getPocketDay } from './pocket/get-pocket-day.ts';
import { getPocketEquilibrium } from './pocket/get-pocket-equilibrium.ts';
import { getPocketLive } from './pocket/get-pocket-live.ts';
import { getPocketMoment } from './pocket/get-pocket-moment.ts';
import { getPocketMomentQuality } from './pocket/get-pocket-moment-quality.ts';
import { getPocketPerception } from './pocket/get-pocket-perception.ts';
import { getPocketWeek } from './pocket/get-pocket-week.ts';
import { listPockets } from './pocket/list-pockets.ts';
import { lookupPocketByName } from './pocket/lookup-pocket-by-name.ts';
import { getAccuracyReport } from './prediction/get-accuracy-report.ts';
import { getBenchmarkLeaderboard } from './prediction/get-benchmark-leaderboard.ts';
import { getBenchmarkScores } from './prediction/get-benchmark-scores.ts';
import { getLedgerEntry } from './prediction/get-ledger-entry.ts';
import { getLedgerHistory } from './prediction/get-ledger-history.ts';
import { getPocketFutures } from './prediction/get-pocket-futures.ts';
import { getPocketPredictions } from './prediction/get-pocket-predictions.ts';
import { listAccuracyDays } from './prediction/list-accuracy-days.ts';
import { listLedgerEntries } from './prediction/list-ledger-entries.ts';
import { listPredictions } from './prediction/list-predictions.ts';
import { submitBenchmarkPredictions } from './prediction/submit-benchmark-predictions.ts';
import { getChangelog } from './report/get-changelog.ts';
import { getCheckHistory } from './report/get-check-history.ts';
import { getHeartbeat } from './report/get-heartbeat.ts';
import { getNewestReading } from './report/get-newest-reading.ts';
import { getNotebook } from './report/get-notebook.ts';
import { getStateOfPocket } from './report/get-state-of-pocket.ts';
import { getStateOfRestraint } from './report/get-state-of-restraint.ts';
import { getStatusHistory } from './report/get-status-history.ts';
import { getStream } from './report/get-stream.ts';
import { getTrustReport } from './report/get-trust-report.ts';
import { getWeeklyReport } from './report/get-weekly-report.ts';
import { listAccuracyPeriods } from './report/list-accuracy-periods.ts';
import { listStatesOfPocket } from './report/list-states-of-pocket.ts';
import { listStatesOfRestraint } from './report/list-states-of-restraint.ts';
import { listWeeklyReports } from './report/list-weekly-reports.ts';
import { getCalmCalendar } from './share/get-calm-calendar.ts';
import { findOutlet } from './visit/find-outlet.ts';
import { listCalmWindows } from './visit/list-calm-windows.ts';
import { planVisit } from './visit/plan-visit.ts';

/** Tools in the order of the interface's tool table, then operations that have a REST address only. */
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
  planVisit,
  findOutlet,
  whatChanged,
  explainTime,
  getTrustReport,
  getHeartbeat,
  getCheckHistory,
  getNewestReading,
  getStatusHistory,
  getSilenceCounts,
  listSilenceVindications,
  listExplanations,
  getExplanation,
  getSustainability,
  getPocketLive,
  listOutlets,
  getObservedPatterns,
  listExperiences,
  getResonance,
  getIntent,
  getDealProposal,
  getOutletWeek,
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
  getPocketWeek,
  getPocketDate,
  getPocketCalendar,
  getPocketSignals,
  listAccuracyDays,
  listAccuracyPeriods,
  listLedgerEntries,
  searchLedger,
  checkLedger,
  getLedgerEntry,
  getLedgerHistory,
  listFeeds,
  getProvenance,
  listCalmWindows,
  getCalmCalendar,
];
