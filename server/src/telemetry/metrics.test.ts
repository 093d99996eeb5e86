import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { closeOpenConnections, HalfOpenConnection } from '../../test/half-open-connection.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';
import { addMetricsRoute } from '../http/metrics-route.ts';
import { noSiblings } from '../workers/siblings.ts';
import { apiNames, type Metrics, refusals } from './metrics.ts';

const token = 'the-token-of-the-operator';
const { test, office, school } = await openSchool({
  METRICS_TOKEN: token,
  RATE_LIMIT_WRITE_PER_MINUTE: '5',
  CONNECTIONS_PER_ADDRESS_MAX: '1',
});
const { http } = test.app;
afterAll(closeOpenConnections);

const scrape = (authorization?: string) =>
  http.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });

async function value(series: string): Promise<number | null> {
  const { body } = await scrape(`Bearer ${token}`);
  const line = body.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

it('every refusal metric exists with 0 from the start', async () => {
  const { body } = await scrape(`Bearer ${token}`);
  for (const api of apiNames) {
    for (const kind of refusals) {
      expect(body).toContain(`classledger_refusals_total{door="${api}",kind="${kind}"} 0`);
    }
  }
});

it('GET /metrics answers like an unknown path without METRICS_TOKEN', async () => {
  const plain = await startTestApp();
  const unknown = await plain.app.http.inject({ url: '/no-such-page' });
  const got = await plain.app.http.inject({ url: '/metrics', headers: { authorization: 'Bearer ' } });
  expect(got.statusCode).toBe(unknown.statusCode);
  expect(got.body.replaceAll('metrics', 'no-such-page')).toBe(unknown.body);
});

it('GET /metrics answers 401 without the exact token', async () => {
  for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token]) {
    const { statusCode, body, headers } = await scrape(wrong);
    expect([statusCode, body, headers['www-authenticate']]).toEqual([401, '', 'Bearer']);
  }
  const { statusCode, headers, body } = await scrape(`Bearer ${token}`);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).not.toContain(token);
});

it('GET /metrics counts answers by API, operation and code, with durations', async () => {
  const of = (rest: string) => `classledger_requests_total{door="external",operation=${rest}}`;
  const before = {
    list: (await value(of('"listStudents",code="200"'))) ?? 0,
    unknown: (await value(of('"listStudents",code="40102"'))) ?? 0,
  };
  const grades = await office.get('/grades');
  const again = { authorization: `Bearer ${office.token}`, 'if-none-match': String(grades.headers.etag) };
  expect((await http.inject({ url: '/api/v1/grades', headers: again })).statusCode).toBe(304);
  expect((await office.get('/students')).status).toBe(200);
  expect((await office.get('/students?limit=nine')).status).toBe(400);
  expect((await office.get('/no-such-thing')).status).toBe(404);
  const headers = { authorization: 'Bearer cls_unknown' };
  expect((await http.inject({ url: '/api/v1/students', headers })).statusCode).toBe(401);
  expect((await test.anonymous.internal.get('/auth/me')).status).toBe(401);
  expect(await value(of('"listStudents",code="200"'))).toBe(before.list + 1);
  expect(await value(of('"listStudents",code="40002"'))).toBe(1);
  expect(await value(of('"listStudents",code="40102"'))).toBe(before.unknown + 1);
  expect(await value(of('"listGrades",code="304"'))).toBe(1);
  expect(await value(of('"",code="40401"'))).toBe(1);
  const me = 'door="internal",operation="getMe"';
  expect(await value(`classledger_requests_total{${me},code="401"}`)).toBe(1);
  expect(await value(`classledger_request_duration_seconds_count{${me}}`)).toBe(1);
  expect(await value(`classledger_request_duration_seconds_bucket{le="+Inf",${me}}`)).toBe(1);
});

it('GET /metrics counts the writes and the entries that ledger transactions contain', async () => {
  const [student] = school.grades[0].classes[0].students;
  const before = (await value('classledger_ledger_batch_writes_sum')) ?? 0;
  const score = { userId: student.id, scoreChange: 1 };
  const answers = await Promise.all([1, 2, 3].map(() => office.post('/scores', score)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await value('classledger_ledger_batch_writes_sum')).toBe(before + 3);
  expect(await value('classledger_ledger_batch_entries_sum')).toBe(before + 3);
  expect(await value('classledger_ledger_wait_seconds_count')).toBe(
    await value('classledger_ledger_batch_writes_count'),
  );
});

it('GET /metrics counts refusals by kind', async () => {
  const [student] = school.grades[1].classes[0].students;
  const other = await school.issue({});
  const write = () => other.post('/scores', { userId: student.id, scoreChange: 1 });
  for (let n = 0; n < 5; n++) expect((await write()).status).toBe(200);
  expect((await write()).status).toBe(429);
  expect(await value('classledger_refusals_total{door="external",kind="rate_limit"}')).toBe(1);
  const payload = `client_id=${other.id}&client_secret=${other.token}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const access = await http.inject({ method: 'POST', url: '/ims/oneroster/token', headers, payload });
  expect([access.statusCode, access.json().error]).toEqual([429, 'temporarily_unavailable']);
  expect(await value('classledger_refusals_total{door="rosters",kind="rate_limit"}')).toBe(1);
  const guess = { username: 'nobody', password: 'a guess' };
  let status = 0;
  for (let n = 0; n < 11; n++) status = (await test.anonymous.internal.post('/auth/login', guess)).status;
  expect(status).toBe(429);
  expect(await value('classledger_refusals_total{door="internal",kind="throttle"}')).toBe(1);
});

it('GET /metrics counts open connections and exceeded connection limits', async () => {
  const port = Number(new URL(await test.listen()).port);
  for (let n = 0; n < 2; n++) expect(await new HalfOpenConnection(port).isServed()).toBe(true);
  expect(await value('classledger_connections_open')).toBe(1);
  expect(await value('classledger_connection_limits_met_total')).toBe(1);
});

it('GET /metrics reports the state of the database, its connections and the queues', async () => {
  // The state may be two seconds old, and a busy machine may need that long.
  await expect.poll(() => value('classledger_database_up')).toBe(1);
  await expect.poll(() => value('classledger_database_writable')).toBe(1);
  expect(await value('classledger_database_connections_max{pool="main"}')).toBe(10);
  expect(await value('classledger_database_connections{pool="main",state="idle"}')).toBeGreaterThan(0);
  expect(await value('classledger_database_waiting{pool="slow"}')).toBe(0);
  expect(await value('classledger_audit_lost_total')).toBe(0);
  const queues = async () => [
    await value('classledger_audit_queue_length'),
    await value('classledger_credential_uses_queue_length'),
  ];
  await expect.poll(queues).toEqual([0, 0]);
  const client = await test.database.pool.connect();
  await client.query('BEGIN; LOCK TABLE audit_record, api_token IN EXCLUSIVE MODE');
  await office.get('/ping');
  expect(await queues()).toEqual([1, 1]);
  await client.query('ROLLBACK');
  client.release();
  await expect.poll(queues).toEqual([0, 0]);
  await test.app.housekeep();
  expect(await value('classledger_housekeeping_total{result="success"}')).toBe(1);
  expect(await value('classledger_housekeeping_last_success_timestamp_seconds')).toBeGreaterThan(0);
  expect(await value('process_start_time_seconds')).toBeGreaterThan(0);
});

it('GET /metrics adds the figures of all processes that share the port, without those that failed', async () => {
  const own = test.app.metrics as Metrics;
  const siblings = { ...noSiblings, askAll: async () => [null, await own.snapshot()] };
  const shared = Fastify();
  addMetricsRoute(shared, own, token, siblings);
  const { body } = await shared.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  expect(body).toContain('\nclassledger_database_connections_max{pool="main"} 20\n');
});

it('GET /metrics has no ids, names or paths of callers in labels', async () => {
  const student = school.grades[0].classes[0].students[0];
  await office.get(`/students/${student.id}`);
  await office.get('/students?keyword=somebody');
  await http.inject({ url: '/api/v1/typed-by-somebody/4711' });
  await http.inject({ url: '/api/typed-by-somebody' });
  const { body } = await scrape(`Bearer ${token}`);
  const labels = [...body.matchAll(/^classledger_\w+\{(.*)\} /gm)].map(([, text]) => text as string);
  const values = labels.flatMap((text) => [...text.matchAll(/(\w+)="([^"]*)"/g)]);
  expect(values.length).toBeGreaterThan(100);
  // Values are excluded, because they may be any number.
  expect(labels.join('\n')).not.toMatch(/somebody|4711|students\//);
  expect(new Set(values.map(([, name]) => name))).toEqual(
    new Set(['door', 'operation', 'code', 'le', 'kind', 'pool', 'state', 'result', 'version']),
  );
});

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const dashboard = read('deploy/grafana/classledger.json');
const rules = read('deploy/prometheus/classledger.rules.yml');
const known = new Set((test.app.metrics as Metrics).names());

function metricsIn(text: string): string[] {
  const names = text.match(/\b(classledger|nodejs|process)_[a-z0-9_]+/g) ?? [];
  const baseOf = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
  return [...new Set(names.map(baseOf))];
}

it.each([
  ['the dashboard', dashboard],
  ['the alarms', rules],
])('%s: all metrics and refusal kinds exist', (_name, text) => {
  expect(metricsIn(text).length).toBeGreaterThan(8);
  expect(metricsIn(text).filter((name) => !known.has(name))).toEqual([]);
  const kinds = [...text.matchAll(/kind=~?\\?"([a-z_|]+)/g)].flatMap(([, value = '']) => value.split('|'));
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
