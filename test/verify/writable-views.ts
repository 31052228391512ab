// Lets a test change one column that a view shows, as whoever has the database could change what is stored of it.
import { errorTypes } from '../../src/domain/prediction/error-taxonomy.ts';
import type { Store } from '../../src/store/engine/store.ts';
import {
  gateNumbers,
  legitimacyBandNumbers,
  outcomeNumbers,
  silenceReasonNumbers,
} from '../../src/store/rows/decision-words.ts';
import { dropGuards } from '../support/stores/tamper-ledger.ts';

/** In ten bits: what a figure is changed to may be more. */
const packed = (column: string) => `coalesce(cast(round(new.${column} * 1000) as integer) % 1024, 1023)`;
const milli = (column: string) => `${column}_milli = round(new.${column} * 1000)`;

/** The number of a word; another number than before for a word that there is none for. */
const numbered = (column: string, numbers: Readonly<Record<string, number>>): string => {
  const cases = Object.entries(numbers).map(([word, number]) => `when '${word}' then ${number}`);
  return `coalesce(case new.${column} ${cases.join(' ')} end, ${column} % ${cases.length} + 1)`;
};

/** Every forecast in a row of its own, so that a change of one changes no other. */
const apart = `
  create table apart as select leaf, slot, pocket, generator, prediction_type, reveal_at - slot as horizon, shadow,
    cast(round(confidence * 1000) as integer) as confidences, cast(round(completeness * 1000) as integer) as completeness_milli
    from predictions;
  delete from forecast_sets;
  delete from forecast_lists;
  insert into forecast_lists
    select row_number() over (order by min(leaf)), 0, generator, prediction_type, horizon, shadow
    from apart group by generator, prediction_type, horizon, shadow;
  insert into forecast_sets (leaf, slot, confidences, pocket, list, completeness_milli)
    select a.leaf, a.slot, a.confidences, a.pocket, m.list, a.completeness_milli from apart a
    join forecast_lists m using (generator, prediction_type, horizon, shadow);
  drop table apart;`;

/** A pocket or generator that there is no number for gets one, so that no other row changes. */
const triggers = `
  create trigger predictions_change instead of update on predictions begin
    insert or ignore into forecast_pockets values ((select max(number) + 1 from forecast_pockets), new.pocket_id);
    insert into forecast_lists values ((select max(list) + 1 from forecast_lists), 0,
      new.generator, new.prediction_type, new.reveal_at - new.slot, new.shadow);
    update forecast_sets set leaf = new.leaf, slot = new.slot,
      pocket = (select number from forecast_pockets where pocket_id = new.pocket_id),
      list = (select max(list) from forecast_lists),
      confidences = round(new.confidence * 1000), ${milli('completeness')}
    where leaf = old.leaf;
  end;
  create trigger reveals_change instead of update on reveals begin
    update reveal_figures set prediction_leaf = new.prediction_leaf, leaves_later = new.leaf - new.prediction_leaf,
      calms = ${packed('expected_calm')} + ${packed('calm_probability')} * 1024,
      scores = ${packed('accuracy_score')} + (${packed('baseline_score')} << 10) +
        (${packed('persistence_score')} << 20) + (${packed('last_week_score')} << 30) +
        (case new.error_type ${errorTypes.map((type, n) => `when '${type}' then ${n + 1}`).join(' ')} else 0 end << 40) +
        (coalesce(new.was_calm, 2) << 44) + (new.waking << 46)
    where prediction_leaf = old.prediction_leaf;
  end;
  create trigger silences_change instead of update on silences begin
    update silence_figures set leaf = new.leaf, slot = new.slot, window_ms = new.window_end - new.slot,
      ${milli('legitimacy_score')}, ${milli('candidate_confidence')}, ${milli('usual_calm')},
      gate = ${numbered('gate', gateNumbers)}, reason = ${numbered('reason', silenceReasonNumbers)},
      band = ${numbered('band', legitimacyBandNumbers)},
      near_miss = case when new.near_miss is null then 0 else ${numbered('near_miss', gateNumbers)} end,
      pocket_id = new.pocket_id
    where leaf = old.leaf;
  end;
  create trigger verdicts_change instead of update on verdicts begin
    update verdict_figures set leaf = new.leaf, slot = new.slot, window_ms = new.revealed_at - new.slot,
      attention_hundredths = round(new.attention_minutes_preserved * 100), spoke = new.spoke, served = new.served,
      reason = case when new.reason is null then null else ${numbered('reason', silenceReasonNumbers)} end,
      outcome = ${numbered('outcome', outcomeNumbers)}, pocket_id = new.pocket_id
    where leaf = old.leaf;
  end;`;

/** On SQLite. */
export async function makeViewsWritable(store: Store): Promise<void> {
  await dropGuards(store, [
    'forecast_sets',
    'reveal_figures',
    'silence_figures',
    'verdict_figures',
    'forecast_lists',
    'forecast_pockets',
  ]);
  await store.transaction((tx) => tx.script(apart + triggers));
}
