// Checks over the whole log that need its order: times of writing, reveals and verdicts against the rows that they are
// the outcomes of, and rows that have none.
import type { Notes } from './bundle.ts';
import { type FaultCode, LedgerFault } from './fault.ts';
import { type Facts, FLAG, KIND, OUTCOME } from './figures/facts.ts';
import { type KnownReading, Readings } from './figures/readings.ts';
import { isForecast } from './figures/scores.ts';
import type { Tally } from './figures/tally.ts';
import { SLOT, VERDICT, wrongField } from './figures/verdicts.ts';

/** 89 bytes a row, allocated as rows arrive: a log cannot make us reserve memory by claiming a large size. */
interface Chunk {
  marks: Float64Array;
  revealAt: Float64Array;
  /** 1 for a row that has its outcome: a reveal, or a verdict. */
  revealed: Uint8Array;
  facts: Facts;
}

const CHUNK = 256;
const NO_OUTCOMES = new Float64Array();
/** Four numbers a reveal: see `Notes.reveals`. */
const REVEAL = 4;

/**
 * Reveals are written in the order of their time; one that had no reading is a slot later. Verdicts are written in the
 * order of their ends. In seconds.
 */
const LONGEST_DELAY = 60 * 60;
/** After an outage reveals and verdicts catch up; until then they are late. In seconds. */
const LONGEST_OUTAGE = 24 * 60 * 60;

/** Bundles must be added in order. */
export class OrderCheck {
  readonly #chunks: Chunk[] = [];
  readonly #tally: Tally;
  readonly #readings = new Readings();
  /** How many rows come before the first chunk. */
  #unread = 0;
  #newest = 0;
  /** Whether a row of the live clock came, of a kind that a history has too. */
  #live = false;
  /** The latest time that a revealed forecast was for. */
  #latestRevealed = 0;
  /** The latest end of a line or a silence that was judged. */
  #latestJudged = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Rows at the beginning that are archived and were not read: their outcomes cannot be compared with them. */
  skip(width: number): void {
    this.#unread += width;
  }

  #isUnread = (leaf: number): boolean => Number.isInteger(leaf) && leaf >= 0 && leaf < this.#unread;

  #chunkOf(leaf: number): Chunk {
    return this.#chunks[Math.floor((leaf - this.#unread) / CHUNK)] as Chunk;
  }

  add({ marks, revealAt, reveals, verdicts, judged, writtenAt, facts }: Notes): void {
    const first = this.#unread + this.#chunks.length * CHUNK;
    for (let row = 0; row < writtenAt.length; row++) {
      const wrong = this.#wrongTime(writtenAt[row] as number, facts, row);
      if (wrong !== undefined) throw new LedgerFault('out_of_order', wrong, { leaf: first + row });
    }
    this.#tally.add(facts);
    this.#learn(facts, first);
    // Outcomes and names are needed for the rows of this bundle only.
    const kept = { ...facts, names: [], outcomes: NO_OUTCOMES };
    this.#chunks.push({ marks, revealAt, revealed: new Uint8Array(marks.length), facts: kept });
    for (let i = 0; i < reveals.length; i += REVEAL) {
      const [own, leaf, mark, at] = reveals.subarray(i, i + REVEAL) as unknown as [
        number,
        number,
        number,
        number,
      ];
      if (this.#isUnread(leaf)) continue;
      const wrong = this.#wrongReveal(own, leaf, mark, at);
      if (wrong !== undefined) throw new LedgerFault('out_of_order', wrong, { leaf: own });
      this.#countReveal(own, leaf, { facts, at: i / REVEAL, revealedAt: at });
    }
    for (let i = 0; i < verdicts.length; i += VERDICT.width) {
      const verdict = verdicts.subarray(i, i + VERDICT.width);
      if (this.#isUnread(verdict[VERDICT.decision] as number)) continue;
      const leaf = verdict[VERDICT.leaf] as number;
      const pocket = facts.pocket[leaf - first] as number;
      const wrong =
        this.#wrongVerdict(verdict, pocket) ?? this.#wrongReading(verdict, pocket, judged[i / VERDICT.width]);
      if (wrong !== undefined) throw new LedgerFault('wrong_verdict', wrong, { leaf });
    }
  }

  /** The first row that should have its outcome by the last row, which was written at `now`, in seconds. */
  firstMissing(now: number): { leaf: number; code: FaultCode; message: string } | undefined {
    const dueBy = (latest: number): number => Math.max(latest - LONGEST_DELAY, now - LONGEST_OUTAGE);
    const reveal = dueBy(this.#latestRevealed);
    const verdict = dueBy(this.#latestJudged);
    for (const [index, { facts, revealAt, revealed }] of this.#chunks.entries())
      for (let row = 0; row < revealed.length; row++) {
        if (revealed[row] === 1) continue;
        const [kind, time, leaf] = [
          facts.kind[row] as number,
          revealAt[row] as number,
          this.#unread + index * CHUNK + row,
        ];
        if (isForecast(kind) && time < reveal)
          return {
            leaf,
            code: 'missing_reveal',
            message: 'the forecast was never revealed, but later ones were',
          };
        if ((kind === KIND.line || kind === KIND.silence) && time < verdict)
          return { leaf, code: 'missing_verdict', message: 'it was never judged, but later ones were' };
      }
    return undefined;
  }

  /**
   * The time of writing never decreases. The history of a virtual clock is written once, before the live clock starts, so
   * nothing of it comes later.
   */
  #wrongTime(time: number, { kind, flags }: Facts, row: number): string | undefined {
    if (time < this.#newest) return 'written_at is earlier than that of the row before it';
    this.#newest = time;
    if (kind[row] === KIND.none) return undefined;
    if (((flags[row] as number) & FLAG.backfilled) === 0) this.#live = true;
    else if (this.#live) return 'backfilled, after rows that are not';
    return undefined;
  }

  /**
   * A reveal must refer to an earlier row, not come before that row's reveal time, and be the only one. It refers to the
   * row by its leaf, which cannot change afterwards.
   */
  #wrongReveal(own: number, leaf: number, mark: number, at: number): string | undefined {
    if (!Number.isInteger(leaf) || leaf < 0 || leaf >= own) return 'sealed_leaf is not a row before it';
    const chunk = this.#chunkOf(leaf);
    const row = leaf % CHUNK;
    if (chunk.marks[row] !== mark) return `row ${leaf} does not have the sealed_hash that it reveals`;
    if (!isForecast(chunk.facts.kind[row] as number)) return `row ${leaf} is not a forecast`;
    if (!(at >= (chunk.revealAt[row] as number))) return `reveals row ${leaf} too early`;
    if (chunk.revealed[row] === 1) return `reveals row ${leaf} a second time`;
    chunk.revealed[row] = 1;
    return undefined;
  }

  /** A verdict must be on an earlier line or silence, say of it what was sealed, and be the only one. */
  #wrongVerdict(verdict: Float64Array, pocket: number): string | undefined {
    const [own, leaf] = [verdict[VERDICT.leaf] as number, verdict[VERDICT.decision] as number];
    if (!Number.isInteger(leaf) || leaf < 0 || leaf >= own) return 'decision_leaf is not a row before it';
    const { facts, marks, revealAt, revealed } = this.#chunkOf(leaf);
    const row = leaf % CHUNK;
    const told = {
      kind: verdict[VERDICT.kind] as number,
      id: verdict[VERDICT.id] as number,
      pocket,
      sealedAt: verdict[VERDICT.decidedAt] as number,
      endsAt: verdict[VERDICT.revealedAt] as number,
      usual: verdict[VERDICT.usual] as number,
    };
    const field = wrongField(told, {
      kind: facts.kind[row] as number,
      id: marks[row] as number,
      pocket: facts.pocket[row] as number,
      sealedAt: facts.sealedAt[row] as number,
      endsAt: revealAt[row] as number,
      usual: facts.value[row] as number,
    });
    if (field !== undefined) return `${field} is not that of row ${leaf}, which it judges`;
    if (revealed[row] === 1) return `judges row ${leaf} a second time`;
    revealed[row] = 1;
    this.#latestJudged = Math.max(this.#latestJudged, told.endsAt);
    this.#tally.judge(told.kind, told.sealedAt, pocket, verdict[VERDICT.served] as number);
    return undefined;
  }

  /** Readings that forecasts of this bundle were made from: those of its slots are sealed before their outcomes. */
  #learn({ kind, horizon, sealedAt, pocket, knownState, knownCalm }: Facts, first: number): void {
    for (let row = 0; row < kind.length; row++) {
      if (horizon[row] === 0 || Number.isNaN(knownCalm[row] as number)) continue;
      this.#readings.learn(sealedAt[row] as number, pocket[row] as number, {
        state: knownState[row] as number,
        calm: knownCalm[row] as number,
        leaf: first + row,
      });
    }
  }

  #wrongReading(
    verdict: Float64Array,
    pocket: number,
    judged: Float64Array = NO_OUTCOMES,
  ): string | undefined {
    const [own, from] = [verdict[VERDICT.leaf] as number, verdict[VERDICT.decidedAt] as number];
    for (let n = 0; 2 * n < judged.length; n++) {
      const known = this.#readings.at(from + n * SLOT, pocket, own);
      if (!known) continue;
      const isCalm = Number(this.#tally.isCalm(known.state));
      if (judged[2 * n] !== known.calm || judged[2 * n + 1] !== isCalm)
        return `its reading of ${timeText(from + n * SLOT)} is not the one that a forecast of then was made from`;
    }
    return undefined;
  }

  /** What was observed at the time of a forecast of the state is what the forecasts of that time were made from. */
  #wrongOutcome(
    own: number,
    pocket: number,
    time: number,
    outcome: Omit<KnownReading, 'leaf'>,
  ): string | undefined {
    const known = this.#readings.at(time, pocket, own);
    if (!known || Number.isNaN(outcome.calm)) return undefined;
    return known.calm === outcome.calm && known.state === outcome.state
      ? undefined
      : `its outcome is not the reading of ${timeText(time)} that a forecast was made from`;
  }

  #countReveal(own: number, leaf: number, reveal: { facts: Facts; at: number; revealedAt: number }): void {
    const { facts, revealAt } = this.#chunkOf(leaf);
    const row = leaf % CHUNK;
    const time = revealAt[row] as number;
    this.#latestRevealed = Math.max(this.#latestRevealed, time);
    const wrong = this.#tally.reveal(facts, row, { ...reveal, revealAt: time });
    if (wrong !== undefined) throw new LedgerFault('wrong_score', wrong, { leaf: own });
    if (facts.kind[row] !== KIND.state) return;
    const first = reveal.at * OUTCOME.width;
    const outcome = {
      state: reveal.facts.outcomes[first + OUTCOME.state] as number,
      calm: reveal.facts.outcomes[first + OUTCOME.value] as number,
    };
    const other = this.#wrongOutcome(own, facts.pocket[row] as number, time, outcome);
    if (other !== undefined) throw new LedgerFault('wrong_outcome', other, { leaf: own });
  }
}

const timeText = (seconds: number): string => new Date(1000 * seconds).toISOString();
