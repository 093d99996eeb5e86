import { expect, it } from 'vitest';
import { collectLogLines } from './collect-log-lines.ts';
import { openSchool, superAdmin } from './test-app.ts';

const lines = collectLogLines();
const allText = () => JSON.stringify(lines);
const metricsToken = 'the-token-of-the-operator';
const { test, admin, office, school } = await openSchool({ LOG_LEVEL: 'trace', METRICS_TOKEN: metricsToken });
const { http } = test.app;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

it('every log line about a request names the request and its trace, without secrets or typed text', async () => {
  lines.length = 0;
  const login = (body: object) =>
    http.inject({ method: 'POST', url: '/api/auth/login', headers: { traceparent }, body });
  const unknown = await login({ username: 'typed-by-somebody', password: 'a guess' });
  const wrong = await login({ username: superAdmin.username, password: 'a guess' });
  const right = await login(superAdmin);
  const cookies = right.headers['set-cookie'] as string[];
  const credential = await http.inject({
    method: 'POST',
    url: '/api/api-tokens',
    headers: {
      traceparent,
      cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; '),
      'x-confirm-password': superAdmin.password,
    },
    body: {
      schoolDb: school.schoolDb,
      name: 'Card of somebody',
      scopeType: 'school',
      scopes: ['students:read'],
    },
  });
  await admin.patch('/auth/me', { oldPassword: 'a guess', newPassword: 'battery staple' });
  await http.inject({ url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } });

  const about = (answer: typeof right) =>
    lines.filter(({ requestId }) => requestId === answer.headers['x-request-id']);
  for (const [answer, status, event] of [
    [unknown, 401, 'signInFailed'],
    [wrong, 401, 'signInFailed'],
    [right, 200, 'signedIn'],
    [credential, 200, 'issueCredential'],
  ] as const) {
    expect(answer.statusCode).toBe(status);
    expect(about(answer)).toMatchObject([
      { event, trace_id: traceId, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
  }
  expect(lines.filter(({ requestId }) => requestId === undefined)).toEqual([]);

  const { token } = JSON.parse(credential.body).data as { token: string };
  const typed = ['typed-by-somebody', 'a guess', 'battery staple', 'Card of somebody'];
  const values = cookies.map((cookie) => cookie.split(/[=;]/)[1] as string);
  const secrets = [...typed, ...values, superAdmin.password, metricsToken, token, office.token];
  for (const secret of secrets) expect(allText()).not.toContain(secret);
});

it('the log line of an unexpected error has the stack but not the row that caused it', async () => {
  await test.database.pool.query(`ALTER TABLE student ADD CHECK (actual_name <> 'Somebody Typed')`);
  const [{ id: classId }] = school.grades[0].classes;
  const student = { classId, username: 'somebody', actualName: 'Somebody Typed', password: 'battery staple' };
  for (const [url, caller, body] of [
    ['/api/v1/students', { authorization: `Bearer ${office.token}` }, student],
    ['/api/users', { cookie: admin.cookie }, { schoolDb: school.schoolDb, ...student }],
  ] as const) {
    lines.length = 0;
    const answer = await http.inject({ method: 'POST', url, headers: { ...caller, traceparent }, body });
    expect(answer.statusCode).toBe(500);
    expect(lines).toMatchObject([
      {
        msg: 'internal error',
        requestId: answer.headers['x-request-id'],
        trace_id: traceId,
        err: { code: '23514', stack: expect.stringContaining('create-students.ts') },
      },
    ]);
    expect(allText()).not.toContain('Somebody Typed');
  }
});
