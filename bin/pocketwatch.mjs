#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A checkout runs its sources. A package has them without types, since Node strips none under node_modules.
const isCheckout = existsSync(new URL('../src/main.ts', import.meta.url));
process.argv.splice(2, 0, isCheckout ? 'src/main.ts' : 'dist/main.js');
import('../scripts/launch.mjs');
