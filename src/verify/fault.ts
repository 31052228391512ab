export type FaultCode =
  | 'unavailable'
  | 'bad_key'
  | 'bad_checkpoint'
  | 'bad_signature'
  | 'shrunk'
  | 'rewritten'
  | 'bad_bundle'
  | 'bad_entry'
  | 'bad_payload_hash'
  | 'unknown_generator'
  | 'out_of_order'
  | 'bad_detached'
  | 'wrong_leaf'
  | 'wrong_tile'
  | 'wrong_root'
  | 'duplicate_id'
  | 'wrong_score'
  | 'wrong_outcome'
  | 'wrong_verdict'
  | 'missing_reveal'
  | 'missing_verdict'
  | 'missing_submission'
  | 'wrong_row'
  | 'wrong_figure';

export interface FaultPlace {
  /** The position in the log of the first row that is wrong. */
  leaf?: number;
  id?: string;
}

/** `unavailable`: the log could not be read. Every other code: what was read is wrong (docs/ledger.md). */
export class LedgerFault extends Error {
  override name = 'LedgerFault';
  readonly code: FaultCode;
  readonly place: FaultPlace;
  constructor(code: FaultCode, message: string, place: FaultPlace = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}
