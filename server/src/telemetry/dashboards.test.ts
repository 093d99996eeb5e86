import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../test/test-app.ts';
import { apiNames, type Metrics, refusals } from './metrics.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const dashboard = read('deploy/grafana/classledger.json');
const rules = read('deploy/prometheus/classledger.rules.yml');
const { metrics } = (await startTestApp({ METRICS_TOKEN: 'the-token-of-the-operator' })).app;
const known = new Set((metrics as Metrics).names);

function metricsIn(text: string): string[] {
  const names = text.match(/\b(classledger|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [
    ...new Set(names.map((name) => (known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')))),
  ];
}

describe('Dashboard and alarms', () => {
  it.each([
    ['the dashboard', dashboard],
    ['the alarms', rules],
  ])('%s: all metrics and refusal kinds exist', (_name, text) => {
    expect(metricsIn(text).length).toBeGreaterThan(8);
    expect(metricsIn(text).filter((name) => !known.has(name))).toEqual([]);
    const kinds = [...text.matchAll(/kind=~?\\?"([a-z_|]+)/g)].flatMap(
      ([, value]) => value?.split('|') ?? [],
    );
    expect(kinds.filter((kind) => !(refusals as readonly string[]).includes(kind))).toEqual([]);
  });

  it('the dashboard shows every metric that begins with classledger_', () => {
    const shown = new Set(metricsIn(dashboard));
    expect([...known].filter((name) => name.startsWith('classledger_') && !shown.has(name))).toEqual([]);
  });

  it('the alarms are exactly those in docs/operations.md', () => {
    const handbook = read('docs/operations.md');
    const alarms = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name as string);
    expect(alarms.length).toBeGreaterThan(10);
    expect(alarms.filter((name) => !handbook.includes(`| \`${name}\` |`))).toEqual([]);
    const documented = [...handbook.matchAll(/^\| `(Classledger\w+)` \|/gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual([...alarms].sort());
  });

  it('the panels of the dashboard have unique ids and a query each', () => {
    const { panels } = JSON.parse(dashboard) as {
      panels: { id: number; type: string; targets?: { expr: string }[] }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { type, targets = [] } of panels) expect(targets.length > 0).toBe(type !== 'row');
  });
});

it('every refusal metric exists with 0 from the start', async () => {
  const text = await (metrics as Metrics).format([await (metrics as Metrics).snapshot()]);
  for (const api of apiNames) {
    for (const kind of refusals) {
      expect(text).toContain(`classledger_refusals_total{door="${api}",kind="${kind}"} 0`);
    }
  }
});
