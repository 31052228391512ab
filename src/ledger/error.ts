export type LedgerErrorCode =
  | 'not_json'
  | 'too_deep'
  | 'bad_entry'
  | 'entry_too_large'
  | 'bad_path'
  | 'bad_tile'
  | 'bad_size'
  | 'bad_key'
  | 'bad_note'
  | 'bad_signature'
  | 'bad_checkpoint'
  | 'bad_proof';

export class LedgerError extends Error {
  override name = 'LedgerError';
  readonly code: LedgerErrorCode;
  constructor(code: LedgerErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
