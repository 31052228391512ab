// A PostgreSQL that speaks TLS with a certificate of an authority of its own, as the address asks for it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openPostgres, requestTimeouts } from '../../../src/store/engine/postgres.ts';
import { StoreError } from '../../../src/store/engine/store.ts';
import { runHere } from '../../support/services/processes.ts';
import { embeddedBinaries, installedBinaries } from '../../support/stores/postgres-binaries.ts';
import { type Cluster, startCluster } from '../../support/stores/postgres-cluster.ts';
import { noPostgres } from '../../support/stores/store-places.ts';

const [binaries] = [...installedBinaries(), ...(await embeddedBinaries())];
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const skip = (!binaries && noPostgres) || (!hasOpenssl && 'no openssl');

/** Makes `NAME.key` and `NAME.crt`, signed by itself or by the authority of that name. */
function makeCertificate(folder: string, name: string, authority?: string): void {
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('key')];
  const own = ['req', ...key, '-subj', `/CN=${name}`];
  if (!authority) {
    openssl(...own, '-x509', '-days', '2', '-out', file('crt'));
    return;
  }
  openssl(...own, '-out', file('csr'));
  writeFileSync(file('ext'), 'subjectAltName=DNS:localhost');
  const signing = ['-CA', join(folder, `${authority}.crt`), '-CAkey', join(folder, `${authority}.key`)];
  const request = ['x509', '-req', '-in', file('csr'), '-days', '2', '-extfile', file('ext')];
  openssl(...request, ...signing, '-CAcreateserial', '-out', file('crt'));
}

describe('a PostgreSQL that speaks TLS', { skip }, () => {
  let cluster: Cluster;
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-tls-'));
  before(async () => {
    makeCertificate(folder, 'authority');
    makeCertificate(folder, 'other');
    makeCertificate(folder, 'server', 'authority');
    cluster = await startCluster(binaries ?? assert.fail(), {
      prepare: (home) => {
        for (const name of ['server.key', 'server.crt']) copyFileSync(join(folder, name), join(home, name));
        chmodSync(join(home, 'server.key'), 0o600);
        return {
          ssl: 'on',
          ssl_cert_file: join(home, 'server.crt'),
          ssl_key_file: join(home, 'server.key'),
        };
      },
    });
  });
  after(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (mode: string, authority: string, host = 'localhost') => {
    const url = new URL(cluster.url);
    url.hostname = host;
    url.searchParams.set('sslmode', mode);
    url.searchParams.set('sslrootcert', join(folder, `${authority}.crt`));
    return url.href;
  };
  const isEncrypted = async (url: string, standby: boolean) => {
    const store = openPostgres(url, requestTimeouts, { standby });
    try {
      return await store.get<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    } finally {
      await store.close();
    }
  };

  for (const [standby, setting] of [
    [false, 'DATABASE_URL'],
    [true, 'READ_DATABASE_URL'],
  ] as const)
    test(`${setting}: the authority of the address is believed, and no other`, async () => {
      for (const mode of ['require', 'verify-full'])
        assert.deepEqual(await isEncrypted(address(mode, 'authority'), standby), { ssl: true }, mode);
      for (const refused of [
        address('verify-full', 'other'),
        address('require', 'other'),
        // The certificate is that of another name.
        address('verify-full', 'authority', '127.0.0.1'),
      ])
        await assert.rejects(
          isEncrypted(refused, standby),
          (error) => error instanceof StoreError && error.code === 'unavailable',
        );
    });

  test('a command says what is wrong, in one line', async (t) => {
    const { status, stderr } = await runHere(t, ['migrate', '--dry-run'], {
      DATABASE_URL: address('verify-full', 'other'),
    });
    assert.equal(status, 1);
    assert.match(stderr, /^pocketwatch: datastore unavailable: .*certificate.*; check DATABASE_URL\n$/);
  });
});
