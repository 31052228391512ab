// Computes heavy answers and tables, on whichever thread calls it.
import type { Registry } from '../../domain/city/city.ts';
import { buildLookup, type Lookup } from '../../domain/city/lookup.ts';
import { csvLine } from '../../domain/text/csv.ts';
import { cityZone } from '../../domain/time/zone.ts';
import { describeFor } from '../../operations/core/city-descriptions.ts';
import type { Operation } from '../../operations/core/define.ts';
import { type DynamicPage, dynamicPages } from '../../web/pages/all.ts';
import { llmsText } from '../../web/site/robots.ts';
import { sitemap } from '../../web/site/sitemap.ts';
import { computeEtag } from '../cache/latin1-body.ts';
import type { HeavyAnswers, HeavyJob, OnWithheld } from '../heavy/jobs.ts';
import { jsonBytes } from '../heavy/json-bytes.ts';
import type { AppContext } from './app-context.ts';
import { operationContext, type RenderContext, renderAnswer, restBody, toolResult } from './render-answer.ts';

/** What stays the same from job to job. */
export type HeavyContext = Pick<AppContext, 'baseUrl' | 'store' | 'substrate' | 'operations'> & {
  builtAt: string;
};

export function localAnswers(context: HeavyContext, onWithheld: OnWithheld): HeavyAnswers {
  const { builtAt, operations, ...fixed } = context;
  const { baseUrl, substrate } = fixed;
  const cityPartsFor = cityParts(operations);
  const jobContext = ({ now, readAt }: HeavyJob, registry: Registry): RenderContext => {
    const { zone, lookup } = cityPartsFor(registry);
    return { ...fixed, registry, zone, lookup, now: () => now, readAt: () => readAt };
  };
  const findOperation = (name: string) =>
    requireNamed(
      operations.find((operation) => operation.name === name),
      name,
    );
  const pageRenderer = ({ name, notice }: HeavyJob, registry: Registry) => {
    const { question, render } = requireNamed(pages.get(name), name);
    const { zone, described } = cityPartsFor(registry);
    const site = { baseUrl, substrate, operations: described, registry, zone, builtAt, notice };
    return { question, render: ({ structured }: { structured: unknown }) => render(site, structured) };
  };
  return {
    answer: async (job, registry) => {
      const own = jobContext(job, registry);
      const { question, render } =
        job.kind === 'page'
          ? pageRenderer(job, registry)
          : operationRenderer(own, job.kind, findOperation(job.name));
      const { content, partial } = await renderAnswer(own, question, job.input, render, onWithheld);
      const bytes = typeof content === 'string' ? Buffer.from(content) : jsonBytes(content);
      return { bytes, etag: computeEtag(bytes), partial };
    },
    table: async (job, registry) => {
      const own = operationContext(jobContext(job, registry));
      const { name, columns, batches } = requireNamed(
        findOperation(job.name).table?.(job.input, own),
        job.name,
      );
      const rest = batches[Symbol.asyncIterator]();
      return {
        name,
        header: csvLine(columns),
        next: async () => {
          const { done, value } = await rest.next();
          return done ? undefined : { bytes: Buffer.from(value.map(csvLine).join('')), rows: value.length };
        },
        close: () => void rest.return?.(),
      };
    },
    stop: async () => undefined,
  };
}

/**
 * What answers need of a city. Computed again only for another registry, which an operator's change makes: describing the
 * operations takes longer than most answers.
 */
function cityParts(operations: readonly Operation[]) {
  const compute = (registry: Registry) => ({
    registry,
    zone: cityZone(registry.city),
    lookup: lookupWhenAsked(registry),
    described: describeFor(operations, registry.city),
  });
  let last: ReturnType<typeof compute> | undefined;
  return (registry: Registry) => {
    if (last?.registry !== registry) last = compute(registry);
    return last;
  };
}

/** Hardly a heavy question names a place: the index of a large city's names is built for the first that does. */
function lookupWhenAsked({ pockets }: Registry): Lookup {
  let built: Lookup | undefined;
  const lookup = () => {
    built ??= buildLookup(pockets);
    return built;
  };
  return { find: (query) => lookup().find(query), suggest: (query) => lookup().suggest(query) };
}

const pages = new Map<string, DynamicPage>(
  [...dynamicPages, sitemap as DynamicPage, llmsText as DynamicPage].map((page) => [
    page.question.name,
    page,
  ]),
);

const operationRenderer = (context: RenderContext, kind: HeavyJob['kind'], operation: Operation) => ({
  question: operation,
  render: kind === 'tool' ? toolResult(context, operation) : restBody(context, operation),
});

function requireNamed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`nothing is named ${name}`);
  return value;
}
