import type { Aftermath, Verdict } from '../domain/vindication.ts';
import type { Reader, Transaction } from './store.ts';

export interface Judged extends Omit<Aftermath, 'footfall_peak' | 'spoke'> {
  id: string;
  pocket_id: string;
  gate: string;
  spoke: number;
}

/** The silences whose window ends at `slot`, each with what happened in its pocket since. */
export function silencesToJudge(store: Reader, slot: number): Promise<Judged[]> {
  return store.all<Judged>(
    `select s.id, s.pocket_id, s.gate, s.slot, then_read.calm,
       count(r.slot) as readings,
       coalesce(sum(case when r.calm >= then_read.calm - 0.1 then 1 else 0 end), 0) as held,
       avg(r.calm) as mean_calm,
       avg(r.stress) as mean_stress,
       avg(e.footfall) as footfall,
       (select count(*) from packages p
         where p.pocket_id = s.pocket_id and p.slot > s.slot and p.slot <= s.window_end) as spoke
     from silences s
     join atmosphere_readings then_read on then_read.slot = s.slot and then_read.pocket_id = s.pocket_id
     left join atmosphere_readings r on r.pocket_id = s.pocket_id and r.slot > s.slot and r.slot <= s.window_end
     left join env_snapshots e on e.slot = r.slot and e.pocket_id = r.pocket_id
     where s.slot = ?
     group by s.id, s.pocket_id, s.gate, s.slot, s.window_end, then_read.calm
     order by s.id`,
    slot,
  );
}

export async function writeVindications(
  tx: Transaction,
  verdicts: readonly (Verdict & { silence: Judged; revealed_at: number })[],
): Promise<void> {
  await tx.insert(
    'vindications',
    verdicts.map(({ silence, vindicated, attention_minutes_preserved, reason, revealed_at }) => ({
      silence_id: silence.id,
      slot: silence.slot,
      pocket_id: silence.pocket_id,
      gate: silence.gate,
      revealed_at,
      vindicated: vindicated === null ? null : vindicated ? 1 : 0,
      attention_minutes_preserved,
      reason,
    })),
  );
}
