// Search over addresses, their parameters and the fields of their answers.
import type { ApiDocument, DocumentedAddress } from './api-document.ts';
import { listFields } from './schema-words.ts';

export interface Found {
  address: DocumentedAddress;
  /** Parameters and fields that have one of the words. */
  fields: string[];
}

interface Entry {
  address: DocumentedAddress;
  about: string;
  fields: { name: string; text: string }[];
}

export type Search = (query: string) => Found[];

/** All words must occur in an address. One whose path or title has them all comes before one that has them in a field. */
export function createSearch(addresses: readonly DocumentedAddress[], document: ApiDocument): Search {
  const entries = addresses.map((address) => searchEntry(address, document));
  return (query) => {
    const words = queryWords(query);
    if (!words.length) return [];
    const found = entries.flatMap(({ address, about, fields }) => {
      const whole = [about, ...fields.map(({ text }) => text)].join('\n');
      if (!words.every((word) => whole.includes(word))) return [];
      const matching = fields.filter(({ text }) => words.some((word) => text.includes(word)));
      const head =
        `${address.path} ${address.endpoints.map(({ summary }) => summary).join(' ')}`.toLowerCase();
      const rank = words.every((word) => head.includes(word))
        ? 0
        : words.every((word) => about.includes(word))
          ? 1
          : 2;
      return [{ rank, address, fields: matching.map(({ name }) => name) }];
    });
    return found.sort((a, b) => a.rank - b.rank).map(({ address, fields }) => ({ address, fields }));
  };
}

export const queryWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

function searchEntry(address: DocumentedAddress, document: ApiDocument): Entry {
  const { path, endpoints } = address;
  const about = endpoints.map(({ operationId, summary, description = '' }) => [
    operationId,
    summary,
    description,
  ]);
  const parameters = endpoints.flatMap(({ parameters = [] }) =>
    parameters.map(({ name, description = '' }) => ({ name, text: `${name} ${description}` })),
  );
  const bodies = endpoints.flatMap(({ requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses[200]?.content ?? {}),
  ]);
  const fields = bodies.flatMap(({ schema }) =>
    listFields(schema, document).map((field) => ({
      name: field.path,
      text: `${field.path} ${field.description}`,
    })),
  );
  const unique = new Map([...parameters, ...fields].map((field) => [field.name, field]));
  return {
    address,
    about: [path, ...about.flat()].join(' ').toLowerCase(),
    // `_meta` is in every answer and would be found everywhere.
    fields: [...unique.values()]
      .filter(({ name }) => !name.startsWith('_meta'))
      .map(({ name, text }) => ({ name, text: text.toLowerCase() })),
  };
}
