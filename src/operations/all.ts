import type { Operation } from './define.ts';
import { getPocketAtmosphere } from './get-pocket-atmosphere.ts';
import { listPockets } from './list-pockets.ts';
import { lookupPocketByName } from './lookup-pocket-by-name.ts';

/** In the order of the interface's tool table. */
export const operations: readonly Operation[] = [listPockets, lookupPocketByName, getPocketAtmosphere];
