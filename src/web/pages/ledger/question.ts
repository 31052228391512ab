// The question that the page of the ledger answers. A separate file, because the parts of the page use its type too.
import Type from 'typebox';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { checkedText, checkLedger } from '../../../operations/ledger/check-ledger.ts';
import { searchedType, searchFilters, searchLedger } from '../../../operations/ledger/search-ledger.ts';
import { getLedgerHistory } from '../../../operations/prediction/get-ledger-history.ts';

const noCheck = { rows: () => 0, ask: async () => ({ structured: null, text: '' }) };

export const ledgerQuestion = composeOperations(
  'page_ledger',
  {
    q: Type.Optional(checkedText),
    type: searchedType,
    ...searchFilters,
  },
  ({ q, ...filters }) => ({
    check: q === undefined ? noCheck : bindArguments(checkLedger, { query: q }),
    found: bindArguments(searchLedger, { ...filters, limit: 25 }),
    history: bindArguments(getLedgerHistory),
  }),
  { readsLog: true },
);

export type LedgerAnswers = AnswerOf<typeof ledgerQuestion>;
