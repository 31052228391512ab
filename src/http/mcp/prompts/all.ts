// The prompts that are offered.
import { briefMerchant } from './brief-merchant.ts';
import { explainSilence } from './explain-silence.ts';
import { planAfternoon } from './plan-afternoon.ts';
import type { Prompt } from './prompt.ts';

export const prompts: readonly Prompt[] = [planAfternoon, explainSilence, briefMerchant];
