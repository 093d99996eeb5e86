import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../test/test-app.ts';

const { http } = (await startTestApp()).app;

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

async function answered(traceparent?: string, url = '/api/v1/ping'): Promise<unknown> {
  const headers = traceparent === undefined ? {} : { traceparent };
  return (await http.inject({ url, headers })).headers.traceresponse;
}

describe('traceparent header', () => {
  it.each(['/api/v1/ping', '/api/v1/nowhere', '/api/auth/me', '/api/nowhere'])(
    'the answer of %s continues the traceparent of the request with a new span',
    async (url) => {
      const [one, other] = [
        await answered(`00-${traceId}-${parent}-01`, url),
        await answered(`00-${traceId}-${parent}-01`, url),
      ];
      expect(one).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
      expect(one).not.toContain(parent);
      expect(one).not.toBe(other);
    },
  );

  it('the answer keeps the flags of traceparent, and later versions of traceparent are accepted', async () => {
    expect(await answered(`00-${traceId}-${parent}-00`)).toMatch(/-00$/);
    expect(await answered(`42-${traceId}-${parent}-01-what-else`)).toMatch(
      new RegExp(`^00-${traceId}-.*-01$`),
    );
  });

  it.each([
    undefined,
    '',
    `ff-${traceId}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${parent}-01-more`,
    `00-${traceId.toUpperCase()}-${parent}-01`,
    `00-${traceId}-${parent}`,
    `00-${traceId}-${parent}-01, 00-${traceId}-${parent}-01`,
    `00-${traceId}-${parent}-1\u00e9`,
  ])('an invalid traceparent is ignored: %j', async (traceparent) => {
    expect(await answered(traceparent)).toBeUndefined();
  });
});
