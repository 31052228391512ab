import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protocolVersions } from '../../web/pages/mcp.ts';
import { supportedVersions } from './versions.ts';

test('the page /mcp names the versions that are served', () => {
  assert.deepEqual(protocolVersions, supportedVersions.toReversed());
});
