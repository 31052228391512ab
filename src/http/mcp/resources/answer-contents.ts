// The answer of an operation as the contents of a resource: its text, then its JSON.
import { fromLatin1Body, type Latin1Body } from '../../cache/latin1-body.ts';

interface Content {
  uri: string;
  mimeType: string;
  text: string;
  _meta?: object;
}

/** What an operation answered, or why it could not. */
export type Answered =
  | { text: string; structured: object; _meta: object; fault?: undefined }
  | { fault: string };

export function readToolResult(result: Latin1Body): Answered {
  const { content, structuredContent, isError, _meta } = JSON.parse(fromLatin1Body(result)) as {
    content: [{ text: string }];
    structuredContent: object;
    isError?: true;
    _meta: object;
  };
  const [{ text }] = content;
  return isError ? { fault: text.replace(/^error: /, '') } : { text, structured: structuredContent, _meta };
}

export const resourceContents = (
  uri: string,
  { text, structured, _meta }: { text: string; structured: object; _meta?: object },
): Content[] => [
  { uri, mimeType: 'text/plain', text, ...(_meta && { _meta }) },
  { uri, mimeType: 'application/json', text: JSON.stringify(structured) },
];
