import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../../test/support/services/verify-ledger.ts';
import { computeSeal } from '../../ledger/seal.ts';
import { type Row, servedLog, verdictFault } from '../testing/served-log.ts';
import { wrongVerdict } from './verdicts.ts';

const START = Date.UTC(2026, 9, 1);
const SLOT = 15 * 60_000;
const utc = (slots: number) => new Date(START + slots * SLOT).toISOString();

const calm = [0.62, 0.6, 0.6, 0.6, 0.58];
const calm_state = [true, true, true, true, true];

/** The verdict on the first line: a calm of 0.6 over an hour, where 0.5 is usual. */
const judged = {
  type: 'verdict',
  id: 'holland-0.verdict',
  decision: 'line',
  decision_id: 'holland-0',
  decision_leaf: 0,
  pocket_id: 'holland',
  decided_at: utc(0),
  revealed_at: utc(4),
  usual_calm: 0.5,
  calm,
  calm_state,
  outcome: 'served',
  served: true,
  rule: 1,
};

test('the outcome follows from the readings and the usual', () => {
  const states = (...outside: number[]) => calm_state.map((_, n) => !outside.includes(n));
  const cases: [changed: object, outcome: string, served: boolean | null][] = [
    [{}, 'served', true],
    [{ calm_state: states(0) }, 'not_calm', false],
    [{ calm_state: states(2) }, 'served', true],
    [{ calm_state: states(2, 4) }, 'served', true],
    [{ calm_state: states(2, 3) }, 'did_not_hold', false],
    [{ usual_calm: 0.549 }, 'served', true],
    [{ usual_calm: 0.55 }, 'usually_calm', false],
    [{ usual_calm: 0.551 }, 'usually_calm', false],
    [{ calm: calm.map(() => 0.549), usual_calm: 0.5 }, 'no_better', false],
    [{ calm: calm.map(() => 0.55), usual_calm: 0.5 }, 'served', true],
    [{ usual_calm: null }, 'unknown_usual', null],
    [
      { calm: calm.with(2, null as never), calm_state: calm_state.with(2, null as never) },
      'unknown_readings',
      null,
    ],
    // What is certain to have failed is judged all the same.
    [{ calm: calm.with(2, null as never), calm_state: states(0).with(2, null as never) }, 'not_calm', false],
    [
      { calm: calm.with(2, null as never), calm_state: states(3, 4).with(2, null as never) },
      'did_not_hold',
      false,
    ],
    [
      { calm: calm.with(2, null as never), calm_state: states(1, 3).with(2, null as never) },
      'unknown_readings',
      null,
    ],
    [{ revealed_at: utc(0), calm: [0.9], calm_state: [true] }, 'unknown_readings', null],
  ];
  for (const [changed, outcome, served] of cases) {
    const verdict = { ...judged, ...changed, outcome, served };
    assert.equal(wrongVerdict(verdict), undefined, JSON.stringify(changed));
    const other = outcome === 'served' ? 'no_better' : 'served';
    assert.match(
      String(wrongVerdict({ ...verdict, outcome: other })),
      /^outcome is/,
      JSON.stringify(changed),
    );
    for (const wrong of [true, false, null].filter((value) => value !== served))
      assert.match(
        String(wrongVerdict({ ...verdict, served: wrong })),
        /^served is/,
        JSON.stringify(changed),
      );
  }
});

test('a verdict of an unknown rule, another id or readings of other quarter hours is refused', () => {
  const cases: [changed: object, message: RegExp][] = [
    [{ rule: 2 }, /^no rule has the version 2$/],
    [{ rule: '1' }, /^no rule has the version "1"$/],
    [{ rule: undefined }, /^no rule has the version nothing$/],
    [{ id: 'holland-1.verdict' }, /^its id/],
    [{ id: undefined }, /^its id/],
    [{ calm: null }, /^calm and calm_state/],
    [{ calm_state: calm_state.slice(1) }, /^calm and calm_state/],
    [{ calm: calm.with(2, null as never) }, /^calm and calm_state/],
    [{ calm_state: calm_state.with(2, null as never) }, /^calm and calm_state/],
    [{ calm: calm.with(2, 1.001) }, /^calm and calm_state/],
    [{ calm: calm.with(2, '0.6' as never) }, /^calm and calm_state/],
    [{ usual_calm: undefined }, /^usual_calm/],
    [{ usual_calm: '0.5' }, /^usual_calm/],
    [{ revealed_at: utc(5) }, /^its readings/],
    [{ decided_at: utc(1) }, /^its readings/],
    [{ decided_at: 'at noon' }, /^its readings/],
    [{ outcome: undefined }, /^outcome is nothing, but the readings give served$/],
    [{ served: undefined }, /^served is nothing, but the readings give true$/],
  ];
  for (const [changed, message] of cases)
    assert.match(String(wrongVerdict({ ...judged, ...changed })), message, JSON.stringify(changed));
});

const row = (type: Row['type'], id: string, payload: object): Row => ({
  type,
  id,
  seal: computeSeal({ id, ...payload }),
});

/** A line or a silence at a slot, judged an hour later. */
const decision = (type: 'line' | 'silence', slot: number, changed: object = {}): Row =>
  row(type, `holland-${slot}`, {
    ...{ pocket_id: 'holland', sealed_at: utc(slot), window_end: utc(slot + 4) },
    ...{ usual_calm: 0.5, written_at: utc(slot), ...changed },
  });

const verdictOn = (leaf: number, decided: 'line' | 'silence', slot: number, changed: object = {}): Row =>
  row('verdict', `holland-${slot}.verdict`, {
    ...{ ...judged, decision: decided, decision_id: `holland-${slot}`, id: `holland-${slot}.verdict` },
    ...{ decision_leaf: leaf, decided_at: utc(slot), revealed_at: utc(slot + 4), written_at: utc(slot + 4) },
    ...changed,
  });

const verifyLog = async (...rows: Row[]) => {
  const log = servedLog();
  log.append(rows);
  return verifyLedger({ fetch: log.fetch });
};

test('a verdict agrees with the line or silence that it judges, or is named', async () => {
  const rows = [decision('line', 0), decision('silence', 1), decision('silence', 2, { usual_calm: null })];
  const unknown = { usual_calm: null, outcome: 'unknown_usual', served: null };
  const good = [verdictOn(0, 'line', 0), verdictOn(1, 'silence', 1), verdictOn(2, 'silence', 2, unknown)];
  const all = await verifyLog(...rows, ...good);
  assert.ok(all.ok, JSON.stringify(all));
  assert.deepEqual(all.entries, { line: 1, silence: 2, verdict: 3 });

  const wrong = ['wrong_verdict', { leaf: 3, id: 'holland-0.verdict' }];
  const cases: [verdict: Row, message: RegExp][] = [
    [verdictOn(0, 'line', 0, { outcome: 'no_better', served: false }), /the readings give served/],
    [verdictOn(0, 'line', 0, { usual_calm: 0.4 }), /^usual_calm is not that of row 0/],
    [verdictOn(0, 'line', 0, unknown), /^usual_calm is not that of row 0/],
    [verdictOn(0, 'silence', 0), /^decision is not that of row 0/],
    [verdictOn(0, 'line', 0, { decision: 'reveal' }), /^decision is not that of row 0/],
    [verdictOn(0, 'line', 0, { pocket_id: 'siglap' }), /^pocket_id is not that of row 0/],
    [verdictOn(1, 'silence', 0), /^decision_id is not that of row 1/],
    [
      verdictOn(0, 'line', 0, { decided_at: utc(1), revealed_at: utc(5), written_at: utc(5) }),
      /^decided_at is not that of row 0/,
    ],
    [
      verdictOn(0, 'line', 0, {
        ...{ revealed_at: utc(5), written_at: utc(5) },
        ...{ calm: [...calm, 0.6], calm_state: [...calm_state, true] },
      }),
      /^revealed_at is not that of row 0/,
    ],
    ...[3, 4, -1, 0.5, '0', null].map((decision_leaf): [Row, RegExp] => [
      verdictOn(0, 'line', 0, { decision_leaf }),
      /^decision_leaf is not a row before it/,
    ]),
  ];
  for (const [verdict, message] of cases) {
    const found = await verifyLog(...rows, verdict);
    assert.deepEqual(verdictFault(found), wrong, String(message));
    assert.match(found.ok ? '' : found.message, message);
  }
  const twice = await verifyLog(...rows, verdictOn(0, 'line', 0), verdictOn(0, 'line', 0));
  assert.deepEqual(verdictFault(twice), ['wrong_verdict', { leaf: 4, id: 'holland-0.verdict' }]);
});

test('a verdict in another bundle than its decision is named by its own row', async () => {
  const rows = Array.from({ length: 300 }, (_, slot) =>
    decision('silence', slot, { written_at: utc(0), sealed_at: utc(0), window_end: utc(4) }),
  );
  const on = (leaf: number, changed: object = {}) =>
    verdictOn(leaf, 'silence', leaf, {
      decided_at: utc(0),
      revealed_at: utc(4),
      written_at: utc(4),
      ...changed,
    });
  const verdicts = rows.map((_, leaf) => on(leaf));
  assert.equal(verdictFault(await verifyLog(...rows, ...verdicts)), 'ok');
  assert.deepEqual(
    verdictFault(await verifyLog(...rows, ...verdicts.with(280, on(280, { usual_calm: 0.45 })))),
    ['wrong_verdict', { leaf: 580, id: 'holland-280.verdict' }],
  );
});

test('a decision that was passed over is found, once later ones are judged or a day is over', async () => {
  const missing = ['missing_verdict', { leaf: 0, id: 'holland-0' }];
  for (const type of ['line', 'silence'] as const) {
    const rows = (later: number) => [decision(type, 0), decision('silence', later)];
    assert.equal(verdictFault(await verifyLog(...rows(4))), 'ok');
    assert.equal(verdictFault(await verifyLog(...rows(4), verdictOn(1, 'silence', 4))), 'ok');
    assert.deepEqual(verdictFault(await verifyLog(...rows(5), verdictOn(1, 'silence', 5))), missing);
    assert.equal(verdictFault(await verifyLog(...rows(100))), 'ok');
    assert.deepEqual(verdictFault(await verifyLog(...rows(101))), missing);
  }
});

test('a line or a silence has an end after its sealing', async () => {
  for (const type of ['line', 'silence'] as const)
    for (const window_end of [null, 'soon', utc(0)])
      assert.deepEqual(verdictFault(await verifyLog(decision(type, 0, { window_end }))), [
        'out_of_order',
        { leaf: 0, id: 'holland-0' },
      ]);
});

test('lines and verdicts of a history come before the live rows', async () => {
  const history = { backfilled: true, written_at: utc(4) };
  const rows = [decision('line', 0, history), verdictOn(0, 'line', 0, history)];
  const live = decision('silence', 8);
  assert.equal(verdictFault(await verifyLog(...rows, live)), 'ok');
  assert.deepEqual(verdictFault(await verifyLog(rows[0] as Row, decision('silence', 4), rows[1] as Row)), [
    'out_of_order',
    { leaf: 2, id: 'holland-0.verdict' },
  ]);
});
