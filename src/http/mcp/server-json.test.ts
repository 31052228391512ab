import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Errors } from 'typebox/schema';
import { serverJsonDocument } from './server-json.ts';

/** The rules of the registry's schema 2025-12-11 for the fields that are used, written down from that schema. */
const input = { description: Type.String(), isRequired: Type.Boolean(), placeholder: Type.String() };
const registrySchema = Type.Object(
  {
    $schema: Type.Literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: Type.String({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    // One version: ranges such as ^1.2.3 and 1.x are refused.
    version: Type.String({ maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    websiteUrl: Type.String({ format: 'uri' }),
    remotes: Type.Array(
      Type.Object(
        {
          type: Type.Literal('streamable-http'),
          url: Type.String({ pattern: '^https?://\\S+$' }),
          headers: Type.Array(
            Type.Object({ name: Type.String(), ...input }, { additionalProperties: false }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
  },
  { additionalProperties: false },
);

const names: [baseUrl: string, name: string][] = [
  ['https://pocketwatch.example.org', 'org.example.pocketwatch/pocketwatch'],
  ['https://example.org:8443', 'org.example/pocketwatch'],
  ['http://localhost:3000', 'localhost/pocketwatch'],
  ['http://192.0.2.7:3000', 'localhost/pocketwatch'],
  ['http://[::1]:3000', 'localhost/pocketwatch'],
];
for (const [baseUrl, name] of names) {
  test(`the entry of ${baseUrl} follows the schema of the registry`, () => {
    const entry = JSON.parse(JSON.stringify(serverJsonDocument({ baseUrl })));
    const [valid, errors] = Errors(registrySchema, entry);
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(entry.name, name);
    assert.equal(entry.remotes[0].url, `${baseUrl}/api/mcp`);
  });
}
