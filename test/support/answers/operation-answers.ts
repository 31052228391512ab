// Answers of an operation to many questions: with and without its optional arguments, with each value of a choice, about
// things that exist and that do not, and at a time before anything was observed.
import { revealId } from '../../../src/domain/prediction/prediction.ts';
import { DAY } from '../../../src/domain/time/slot.ts';
import type { AppContext } from '../../../src/http/answers/app-context.ts';
import { checkArguments } from '../../../src/operations/core/arguments.ts';
import { type AnswerOf, NotFound, type Operation, Refused } from '../../../src/operations/core/define.ts';
import type { listExplanations } from '../../../src/operations/decision/list-explanations.ts';
import type { listSilenceVindications } from '../../../src/operations/decision/list-silence-vindications.ts';
import type { submitBenchmarkPredictions } from '../../../src/operations/prediction/submit-benchmark-predictions.ts';
import type { getStream } from '../../../src/operations/report/get-stream.ts';
import { submission } from '../rows/benchmark-submission.ts';
import { ask, post } from '../services/http-client.ts';

type Arguments = Record<string, unknown>;

/** An id of each kind that an address may ask for. */
export interface SampleIds {
  package: string;
  silence: string;
  /** With its type, as explanations name it. */
  pause: string;
  prediction: string;
  submission: string;
}

/** Finds them over REST; submits to the benchmark, so that there is a submission. */
export async function sampleIds(url: string): Promise<SampleIds> {
  const stream = async (type: string) => {
    const { events } = (await ask(`${url}/api/stream?since=all&type=${type}`)).json<
      AnswerOf<typeof getStream>
    >();
    return events.flatMap((event) => ('id' in event ? [event.id] : []))[0] ?? '';
  };
  const { entries } = (await ask(`${url}/api/silence-vindications`)).json<
    AnswerOf<typeof listSilenceVindications>
  >();
  const { items } = (await ask(`${url}/api/explanations?limit=500`)).json<
    AnswerOf<typeof listExplanations>
  >();
  const submitted = (await post(`${url}/api/benchmark/submit`, submission())).json<
    AnswerOf<typeof submitBenchmarkPredictions>
  >();
  return {
    package: await stream('narration'),
    silence: entries[0]?.id ?? '',
    pause: items.find(({ type }) => type === 'already_speaking')?.id ?? '',
    prediction: await stream('prediction'),
    submission: submitted.submission_id,
  };
}

/** The ids that an operation or a page may be asked about. */
export const idsFor = (operation: string, ids: SampleIds): string[] => {
  if (operation.endsWith('explanation')) return [`silence:${ids.silence}`, `emit:${ids.package}`, ids.pause];
  if (operation === 'get_benchmark_scores') return [ids.submission];
  return [ids.prediction, revealId(ids.prediction), ids.silence, ids.submission];
};

/** Arguments by their name, about things that exist. */
export const knownArguments = ({ registry }: Pick<AppContext, 'registry'>): Arguments => ({
  pocket_id: 'tiongbahru',
  pocket_id_a: 'tiongbahru',
  pocket_id_b: 'dempsey',
  outlet_id: registry.outlets.find(({ active }) => active)?.id,
  at: '2026-11-11T03:50:00Z',
  date: '2026-11-11',
  slug: 'quiet-now',
  query: 'holland',
  q: 'the',
  month: '2026-10',
  month_iso: '2026-10',
  week_iso: '2026-W45',
  generator: 'pocket_projection_60m',
  candidate_action: 'lunch_nudge',
  user_context: { fatigue_score: 0.2 },
  merchant_context: { idle_pressure: 0.5 },
  channel: 'push',
  ...submission(),
});

const unknownArguments: Arguments = {
  pocket_id: 'atlantis',
  pocket_id_a: 'atlantis',
  outlet_id: 'atlantis',
  slug: 'atlantis',
  query: 'zzqq',
  q: 'zzqq',
  date: '2020-01-01',
  month: '2020-01',
  month_iso: '2020-01',
  week_iso: '2020-W01',
  generator: 'none',
};

/** Every answer that the operation gives; a question that REST would answer with 404 or 400 has none. */
export async function collectAnswers(
  operation: Operation,
  service: AppContext,
  ids: SampleIds,
): Promise<{ asked: string; structured: unknown }[]> {
  const { registry, zone, lookup, store, substrate, baseUrl, status } = service;
  const writer = service.writer && {
    ...service.writer,
    sender: { address: '192.0.2.1', charge: () => () => undefined },
  };
  const context = {
    registry,
    zone,
    lookup,
    store,
    substrate,
    baseUrl,
    ...(writer && { writer }),
    ...(status && { status }),
  };
  const answers = [];
  for (const given of questionsTo(operation, service, ids)) {
    const read = checkArguments(operation.input, given);
    if (!read.ok) throw new Error(`${operation.name}: ${read.message}`);
    for (const now of [service.now(), service.now() - 60 * DAY]) {
      try {
        const { structured } = await operation.answer(read.input, { ...context, now });
        // As a client gets it.
        const sent = JSON.parse(JSON.stringify(structured));
        answers.push({ asked: JSON.stringify({ ...given, now: new Date(now) }), structured: sent });
      } catch (error) {
        if (!(error instanceof NotFound || error instanceof Refused)) throw error;
      }
    }
  }
  return answers;
}

const pick = (from: Arguments, names: readonly string[]): Arguments =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

/** All arguments of an operation for which there is a sample. */
export const argumentsFor = ({ input }: Operation, service: AppContext): Arguments =>
  pick(knownArguments(service), Object.keys(input.properties));

/** With as few arguments as the operation takes, and with all for which there is a sample. */
export function ordinaryQuestions(
  { name, input }: Pick<Operation, 'name' | 'input'>,
  service: Pick<AppContext, 'registry'>,
  ids: SampleIds,
): [least: Arguments, all: Arguments] {
  const known = { ...knownArguments(service), id: idsFor(name, ids)[0] };
  const names = Object.keys(input.properties);
  const required = names.filter(
    (argument) => input.required?.includes(argument) && !('default' in (input.properties[argument] ?? {})),
  );
  return [pick(known, required), pick(known, names)];
}

function questionsTo(operation: Operation, service: AppContext, ids: SampleIds): Arguments[] {
  const { name, input } = operation;
  const [least, all] = ordinaryQuestions(operation, service, ids);
  const names = Object.keys(input.properties);
  return [
    least,
    all,
    { ...least, ...pick(unknownArguments, names) },
    ...names.map((argument) => ({ ...least, ...pick(unknownArguments, [argument]) })),
    ...(names.includes('id') ? idsFor(name, ids).map((id) => ({ ...least, id })) : []),
    ...Object.entries(input.properties).flatMap(([argument, schema]) =>
      schemaChoices(schema).map((choice) => ({ ...least, [argument]: choice })),
    ),
  ];
}

/** Each value of a closed set, and both of a flag. */
function schemaChoices(schema: object): unknown[] {
  const { enum: values, type } = schema as { enum?: unknown[]; type?: string };
  return values ?? (type === 'boolean' ? [true, false] : []);
}
