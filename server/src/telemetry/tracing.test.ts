import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectLogLines } from '../../test/collect-log-lines.ts';
import { OtlpReceiver } from '../../test/otlp-receiver.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

const lines = collectLogLines();
afterEach(() => {
  lines.length = 0;
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('receives a span for every API request, continued from traceparent, and nothing else', async () => {
    const receiver = await OtlpReceiver.listening();
    const { test, office } = await openSchool({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      LOG_LEVEL: 'info',
    });
    const { http } = test.app;
    const headers = { authorization: `Bearer ${office.token}`, traceparent: `00-${traceId}-${parentId}-01` };
    const read = await http.inject({ url: '/api/v1/students?keyword=typed-by-somebody', headers });
    expect(read.statusCode).toBe(200);
    const body = { username: 'nobody', password: 'a guess' };
    const { authorization, traceparent } = headers;
    await http.inject({ url: '/healthz', headers });
    await http.inject({ url: '/api/v1/nowhere', headers: { authorization } });
    const login = { method: 'POST', url: '/api/auth/login', headers: { traceparent }, body } as const;
    const failed = await http.inject(login);
    await test.stop();
    await receiver.stop();

    expect([...receiver.paths]).toEqual(['POST /v1/traces application/x-protobuf']);
    const spans = receiver.spans.filter((span) => span.traceId === traceId);
    expect(spans).toMatchObject([
      {
        parentId,
        name: 'GET /api/v1/students',
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/api/v1/students',
          'url.path': '/api/v1/students',
          'http.response.status_code': 200,
          'classledger.request_id': read.headers['x-request-id'],
        },
        failed: false,
        resource: { 'service.name': 'classledger', 'service.version': expect.stringMatching(/^\d/) },
      },
      { parentId, name: 'POST /api/auth/login' },
    ]);
    expect(read.headers.traceresponse).toBe(`00-${traceId}-${spans[0]?.spanId}-01`);
    const line = lines.find(({ requestId }) => requestId === failed.headers['x-request-id']);
    expect(line).toMatchObject({ event: 'signInFailed', trace_id: traceId, span_id: spans[1]?.spanId });
    const unknown = receiver.spans.find(({ attributes }) => attributes['url.path'] === '/api/v1/nowhere');
    expect(unknown).toMatchObject({ parentId: '', attributes: { 'http.response.status_code': 404 } });
    const spansText = JSON.stringify(receiver.spans);
    expect(spansText).not.toMatch(new RegExp(`healthz|typed-by-somebody|${office.token}`));
  });

  it('requests succeed while OTEL_EXPORTER_OTLP_ENDPOINT is unreachable, and the log reports traces not sent', async () => {
    const receiver = await OtlpReceiver.listening();
    // The longest timeout before a second attempt, which comes after 0.8 s.
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '750');
    const { url } = receiver;
    await receiver.stop();
    const test = await startTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: 'warn' });
    expect((await test.app.http.inject('/api/v1/ping')).statusCode).toBe(401);
    await test.stop();
    vi.unstubAllEnvs();
    expect(lines).toMatchObject([{ msg: 'traces not sent', why: expect.stringContaining('ECONNREFUSED') }]);
  });
});

describe('traceparent header', async () => {
  const { http } = (await startTestApp()).app;
  const answered = async (traceparent?: string, url = '/api/v1/ping'): Promise<unknown> => {
    const headers = traceparent === undefined ? {} : { traceparent };
    return (await http.inject({ url, headers })).headers.traceresponse;
  };

  const paths = ['/api/v1/ping', '/api/v1/nowhere', '/api/auth/me', '/api/nowhere'];
  it.each(paths)('the answer of %s continues the traceparent of the request with a new span', async (url) => {
    const answer = () => answered(`00-${traceId}-${parentId}-01`, url);
    const [one, other] = [await answer(), await answer()];
    expect(one).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(one).not.toContain(parentId);
    expect(one).not.toBe(other);
  });

  it('the answer keeps the flags of traceparent, and later versions of traceparent are accepted', async () => {
    expect(await answered(`00-${traceId}-${parentId}-00`)).toMatch(/-00$/);
    const later = await answered(`42-${traceId}-${parentId}-01-what-else`);
    expect(later).toMatch(new RegExp(`^00-${traceId}-.*-01$`));
  });

  it.each([
    undefined,
    '',
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-1\u00e9`,
  ])('an invalid traceparent is ignored: %j', async (traceparent) => {
    expect(await answered(traceparent)).toBeUndefined();
  });
});
