// The question of the first page: should I go there now, and if not, when?
import Type from 'typebox';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { listCalmWindows } from '../../../operations/visit/list-calm-windows.ts';
import { visitOrders } from '../../../operations/visit/visit-answer.ts';

export const homeQuestion = composeOperations(
  'page_home',
  {
    q: Type.String({
      maxLength: 80,
      default: '',
      description: 'name of a place, as a person would write it',
    }),
    order: Type.Enum([...visitOrders], { default: 'calm', description: 'the order of the list' }),
    near: Type.Optional(
      Type.String({ maxLength: 80, description: 'a place of the city: the nearest pockets come first' }),
    ),
    day: Type.Optional(
      Type.String({ maxLength: 10, description: 'a day within the next week, as YYYY-MM-DD' }),
    ),
    at: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 23,
        description: 'hour of the clock, of that day or the next time it comes',
      }),
    ),
    intent: Type.Optional(Type.String({ maxLength: 64, description: 'only pockets that suit this intent' })),
    offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'pockets to skip' }),
  },
  // An empty field of the form is none.
  ({ at, near, day, ...asked }) => ({
    places: bindArguments(listCalmWindows, {
      ...asked,
      ...(near && { near }),
      ...(day && { day }),
      ...(at !== undefined && { hour: at }),
    }),
  }),
);

export type HomeAnswers = AnswerOf<typeof homeQuestion>;
export type Asked = HomeAnswers['asked'];
export type Place = HomeAnswers['places']['pockets'][number];
