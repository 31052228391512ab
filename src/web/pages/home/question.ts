// The question of the first page: should I go there now, and if not, when?
import Type from 'typebox';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { listCalmWindows, visitOrders } from '../../../operations/visit/list-calm-windows.ts';

export const homeQuestion = composeOperations(
  'page_home',
  {
    q: Type.String({ maxLength: 80, default: '' }),
    sort: Type.Enum([...visitOrders], { default: 'calm' }),
    at: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
    intent: Type.Optional(Type.String({ maxLength: 64 })),
    offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  },
  ({ at, ...asked }) => ({
    places: bindArguments(listCalmWindows, { ...asked, ...(at !== undefined && { hour: at }) }),
  }),
);

export type HomeAnswers = AnswerOf<typeof homeQuestion>;
export type Asked = HomeAnswers['asked'];
export type Place = HomeAnswers['places']['pockets'][number];
