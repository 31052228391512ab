// What can be read by its address: the current moment of each pocket, reports on the whole service, the glossary and the
// formulas.

import type { Pocket } from '../../../domain/city/city.ts';
import { findPocket, pocketsInOrder } from '../../../domain/city/lists/find-entries.ts';
import { printable } from '../../../domain/text/printable.ts';
import { findUnknownName } from '../../../operations/core/unknown-names.ts';
import { getPocketMoment } from '../../../operations/pocket/get-pocket-moment.ts';
import type { AppContext } from '../../answers/app-context.ts';
import { type Latin1Body, toLatin1Body } from '../../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../../core/maybe-promise.ts';
import { errorCodes } from '../json-rpc.ts';
import { type CallTool, invalidParams, type Kept, type Outcome } from '../methods.ts';
import { LIST_TTL_SECONDS } from '../versions.ts';
import { type Answered, readToolResult, resourceContents } from './answer-contents.ts';
import { documents } from './documents.ts';
import { type ReadOperation, readReport, reports } from './reports.ts';

type ResourceContext = Pick<AppContext, 'registry' | 'lookup' | 'dataVersion' | 'now' | 'build' | 'zone'>;

/** Pockets on a page of the list. */
const PAGE = 50;
const POCKET = 'pocket://';
const MARKDOWN = 'text/markdown';
/** Enough of an address that does not exist to recognise it by. */
const MAX_ECHO = 200;

const unchanged: Kept = { seconds: LIST_TTL_SECONDS, scope: 'public' };

export const pocketUri = (id: string): string => `${POCKET}${id}`;

/** The pocket that an address names; undefined where there is none. */
export function pocketAt(uri: string, { registry }: Pick<AppContext, 'registry'>): Pocket | undefined {
  if (!uri.startsWith(POCKET)) return undefined;
  const id = uri.slice(POCKET.length);
  return findPocket(registry, id);
}

export const templates = {
  pocket: {
    uriTemplate: `${POCKET}{id}`,
    name: 'pocket',
    title: 'Pocket now',
    description:
      'The current moment of a pocket (small neighbourhood): its state, how calm it is, how long that may last and whether silence is asked for; as text and as JSON. It changes every quarter hour.',
    mimeType: 'text/plain',
    annotations: { audience: ['user', 'assistant'], priority: 0.8 },
  },
  glossary: {
    uriTemplate: `${documents.glossary.uri}/{slug}`,
    name: 'glossary_term',
    title: 'Term of the glossary',
    description: 'The definition of one term, and the formula behind it.',
    mimeType: MARKDOWN,
    annotations: { audience: ['assistant'], priority: 0.4 },
  },
  formulas: {
    uriTemplate: `${documents.formulas.uri}/{slug}`,
    name: 'formula',
    title: 'Formula',
    description: 'One formula: its weights, its thresholds and a worked example.',
    mimeType: MARKDOWN,
    annotations: { audience: ['assistant'], priority: 0.3 },
  },
} as const;

const listedDocuments = Object.entries(documents).map(([name, { uri, title, description, text }]) => ({
  uri,
  name,
  title,
  description,
  mimeType: MARKDOWN,
  size: Buffer.byteLength(text),
  annotations: { audience: ['user', 'assistant'], priority: 0.3 },
}));

const listedReports = reports.map(({ uri, name, title, description }) => ({
  ...{ uri, name, title, description },
  mimeType: 'text/plain',
  annotations: { audience: ['user', 'assistant'], priority: 0.6 },
}));

const listedPocket = ({ id, name, region, character }: Pocket) => ({
  uri: pocketUri(id),
  name: id,
  title: name,
  description: `${character.summary}; ${region}. The current moment.`,
  mimeType: templates.pocket.mimeType,
  annotations: templates.pocket.annotations,
});

/** `resources/list`: the documents and reports, then the pockets by id. A cursor is the id of the last pocket of the page before. */
export function listResources({ registry }: ResourceContext, { cursor }: { cursor?: unknown }): Outcome {
  const pockets = pocketsInOrder(registry);
  const last = cursor === undefined ? -1 : pockets.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && last < 0) return invalidParams('cursor is not one of this list');
  const page = pockets.slice(last + 1, last + 1 + PAGE);
  const nextCursor = last + 1 + PAGE < pockets.length ? page.at(-1)?.id : undefined;
  const fixed = cursor === undefined ? [...listedDocuments, ...listedReports] : [];
  const resources = [...fixed, ...page.map(listedPocket)];
  return { result: jsonBody({ resources, nextCursor }), kept: unchanged };
}

const listedTemplates = toLatin1Body(JSON.stringify({ resourceTemplates: Object.values(templates) }));
export const listTemplates = (): Outcome => ({ result: listedTemplates, kept: unchanged });

/** `resources/read`. */
export function readResource(
  context: ResourceContext,
  { uri }: { uri?: unknown },
  { callTool, readOperation }: { callTool: CallTool; readOperation: ReadOperation },
): MaybePromise<Outcome> {
  if (typeof uri !== 'string') return invalidParams('uri must be a string');
  const text = documentAt(uri);
  if (text !== undefined)
    return { result: jsonBody({ contents: [{ uri, mimeType: MARKDOWN, text }] }), kept: unchanged };
  const report = reports.find((one) => one.uri === uri);
  if (report)
    return mapMaybePromise(readReport(report, context, readOperation), ({ answered, seconds }) =>
      resourceOutcome(uri, answered, seconds),
    );
  const pocket = pocketAt(uri, context);
  return pocket ? readPocket(context, pocket, callTool) : notFound(context, uri);
}

function documentAt(uri: string): string | undefined {
  for (const document of Object.values(documents)) {
    if (uri === document.uri) return document.text;
    if (uri.startsWith(`${document.uri}/`)) return document.sections.get(uri.slice(document.uri.length + 1));
  }
  return undefined;
}

/** The answer of the tool, so that both say the same; it may be kept until the next reading is due. */
const readPocket = (context: ResourceContext, { id }: Pocket, callTool: CallTool): MaybePromise<Outcome> =>
  mapMaybePromise(callTool(getPocketMoment.name, { pocket_id: id }), (result) =>
    resourceOutcome(pocketUri(id), readToolResult(result), context.dataVersion.maxAge(context.now())),
  );

const resourceOutcome = (uri: string, answered: Answered, seconds: number): Outcome =>
  answered.fault === undefined
    ? { result: jsonBody({ contents: resourceContents(uri, answered) }), kept: { seconds, scope: 'public' } }
    : { code: errorCodes.internalError, message: answered.fault };

function notFound(context: ResourceContext, uri: string): Outcome {
  const id = uri.startsWith(POCKET) ? uri.slice(POCKET.length) : undefined;
  const similar =
    id === undefined ? undefined : findUnknownName({ pocket_id: id }, context)?.fields.did_you_mean;
  const uris = Array.isArray(similar) ? similar.map(pocketUri) : [];
  const hint = uris.length
    ? `; similar: ${uris.join(', ')}`
    : '; resources/list and resources/templates/list say what there is';
  return {
    code: errorCodes.resourceNotFound,
    message: `resource not found: ${printable(uri)}${hint}`,
    data: { uri: printable(uri, MAX_ECHO), ...(uris.length && { did_you_mean: uris }) },
  };
}

const jsonBody = (result: object): Latin1Body => toLatin1Body(JSON.stringify(result));
