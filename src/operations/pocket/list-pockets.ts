import Type from 'typebox';
import { defineOperation } from '../core/define.ts';

export const listPockets = defineOperation({
  name: 'list_pockets',
  title: 'List observed pockets',
  description:
    'Lists every pocket (small neighbourhood) that the service observes. Use it first, to learn which pocket_id values the other tools accept. Returns {pockets: [pocket_id]}, in alphabetical order.',
  input: {},
  output: Type.Object({ pockets: Type.Array(Type.String({ description: 'pocket_id' })) }),
  effect: 'read',
  load: (_input, { registry }) => registry.pockets,
  shape: (pockets) => ({ pockets: pockets.map((pocket) => pocket.id).sort() }),
  speak: ({ pockets }) => `observed pockets: ${pockets.join(', ')}`,
  rest: { path: '/api/pockets' },
});
