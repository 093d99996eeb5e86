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
    const failed = await http.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { traceparent },
      body,
    });
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
    for (const hidden of ['healthz', 'typed-by-somebody', office.token])
      expect(spansText).not.toContain(hidden);
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
