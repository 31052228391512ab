// The reference of /docs: every address and every tool, folded up, in groups by what people ask. Anchors stand inside
// what is folded up, so that a browser opens it for a link or a search within the page.
import { callableTools, isTool, type Operation, publishedSchema } from '../../../operations/core/define.ts';
import { type Html, html } from '../../parts/html.ts';
import type { DocumentedAddress } from './api-document.ts';
import type { DocsSite } from './docs-site.ts';
import type { Schema } from './schema-references.ts';
import { argumentWords } from './schema-words.ts';

interface ReferenceGroup {
  id: string;
  name: string;
  description: string;
  addresses: readonly DocumentedAddress[];
  /** Tools without an address. */
  tools: readonly Operation[];
}

/** The groups in their order, and all of them as a part of the page. */
export interface Reference {
  groups: readonly { id: string; name: string }[];
  part: Html;
}

export function createReference(docs: DocsSite): Reference {
  const groups = referenceGroups(docs);
  return { groups, part: referencePart(docs, groups) };
}

function referenceGroups({ site, document, addresses, findAddress, findTag }: DocsSite): ReferenceGroup[] {
  const toolsAlone = callableTools(site.operations).filter(({ name }) => !findAddress(name));
  return document.tags
    .map(({ name, description }) => ({
      id: name.toLowerCase().replaceAll(/\W+/g, '-'),
      ...{ name, description },
      addresses: addresses.filter(({ tag }) => tag === name),
      tools: toolsAlone.filter((tool) => findTag(tool.name) === name),
    }))
    .filter((group) => group.addresses.length + group.tools.length > 0);
}

const referencePart = (docs: DocsSite, groups: readonly ReferenceGroup[]): Html => html`
${groups.map(
  ({ id, name, description, addresses, tools }) => html`
<details class="group"><summary><h3>${name}</h3> <small>${addresses.length + tools.length}</small></summary>
<p id="${id}">${description}</p>${addresses.map((address) => addressEntry(docs, address))}${tools.map(toolEntry)}</details>`,
)}`;

function addressEntry({ operationNamed }: DocsSite, { path, docsPath, endpoints }: DocumentedAddress): Html {
  const [{ summary, operationId: id } = { summary: '', operationId: '' }] = endpoints;
  const name = html`<code>${endpoints.map(({ method }) => method).join(', ')} ${path}</code>`;
  const link = html`<a href="${docsPath}">Fields and a real answer</a>`;
  const parts = endpoints.flatMap(({ operationId, description }) => {
    const operation = operationNamed(operationId);
    if (operation && isTool(operation)) return [toolPart(operation, link)];
    return description ? [html`<p id="${operationId}">${firstSentence(description)} ${link}</p>`] : [];
  });
  return parts.length
    ? html`\n<details><summary>${name} ${summary}</summary>${parts}</details>`
    : html`\n<p id="${id}"><a href="${docsPath}">${name}</a> ${summary}</p>`;
}

/** The rest is on the page of the address. */
const firstSentence = (text: string): string => /^.*?[.?](?=\s|$)/s.exec(text)?.[0] ?? text;

const toolEntry = (tool: Operation): Html =>
  html`\n<details><summary><code>${tool.name}</code> ${tool.title}</summary>${toolPart(tool)}</details>`;

function toolPart({ name, description, input }: Operation, link: Html | null = null): Html {
  const { properties, required = [] } = publishedSchema(input);
  const given = Object.entries(properties as Record<string, Schema>);
  return html`<p id="${name}">Tool <code>${name}</code>. ${description} ${link}</p>${
    given.length
      ? html`<ul>${given.map(
          ([argument, schema]) =>
            html`<li><code>${argument}</code> <small>${argumentWords(schema, (required as string[]).includes(argument))}</small> ${schema.description ?? ''}</li>`,
        )}</ul>`
      : null
  }`;
}
