import assert from 'node:assert/strict';
import { test } from 'node:test';
import { voiceFaults } from '../text/voice.ts';
import { disagreements, type PublishedScores } from './agreement.ts';
import { legitimacyBands } from './legitimacy.ts';
import { mqsBands } from './moment-quality.ts';

const agreed: PublishedScores = {
  reason: null,
  should_stay_silent: false,
  mqs_band: 'peak',
  resonance: 0.8,
  legitimacy_band: 'legitimate',
  index_band: 'legitimate',
};

test('scores that call for the opposite are named with the reason, others are not', () => {
  const said =
    'and a line was said: the calm was likely to hold, above what is usual, and every gate was open';
  const live = 'and a line is live: it was said earlier, and lasts to the end that it named';
  const silent = 'and nothing was said: the pocket is tense';
  const low = {
    mqs_band: 'silent',
    resonance: 0.2,
    legitimacy_band: 'borderline',
    index_band: null,
  } as const;
  const table: [Partial<PublishedScores>, string[]][] = [
    [{}, []],
    [{ mqs_band: 'forming', index_band: 'borderline' }, []],
    [{ mqs_band: 'weak' }, [`the moment quality is weak, ${said}`]],
    [
      { mqs_band: 'silent', index_band: 'remain_silent' },
      [`the moment quality is silent, ${said}`, `the index of the day advises silence, ${said}`],
    ],
    [{ reason: 'already_speaking' }, []],
    [
      {
        reason: 'already_speaking',
        should_stay_silent: true,
        mqs_band: 'weak',
        resonance: 0.499,
        legitimacy_band: 'remain_silent',
      },
      [
        `the moment asks for silence, ${live}`,
        `the moment quality is weak, ${live}`,
        `the resonance is too low to speak, ${live}`,
        `a line would not be legitimate, ${live}`,
      ],
    ],
    [{ reason: 'tense', ...low, should_stay_silent: true }, []],
    [
      { reason: 'tense', ...low, mqs_band: 'high_resonance' },
      [`the moment quality is high resonance, ${silent}`],
    ],
    [{ reason: 'tense', ...low, resonance: 0.5 }, [`the resonance is enough to speak, ${silent}`]],
    [{ reason: 'tense', ...low, legitimacy_band: 'legitimate' }, [`a line would be legitimate, ${silent}`]],
    [
      { reason: 'tense', ...low, index_band: 'legitimate' },
      [`the index of the day allows a line, ${silent}`],
    ],
  ];
  for (const [changed, expected] of table)
    assert.deepEqual(disagreements({ ...agreed, ...changed }), expected);
});

test('every sentence follows the voice rules', () => {
  for (const mqs_band of mqsBands)
    for (const index_band of legitimacyBands)
      for (const reason of [null, 'why_now', 'resonance_time', 'quiet_hours', 'already_speaking'] as const)
        for (const text of disagreements({
          ...agreed,
          reason,
          should_stay_silent: true,
          mqs_band,
          index_band,
        }))
          assert.deepEqual(voiceFaults(text), [], text);
});
