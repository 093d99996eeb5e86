import type { FastifyRequest } from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { TestClock } from '../../test/test-app.ts';
import { RequestWatch } from './request-watch.ts';

const request = { id: 'a request', headers: {} } as FastifyRequest;

it('requests over two seconds are logged, at most 20 a minute', () => {
  // With the clock fixed, the measured duration equals the stated one.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => now.mockRestore());
  const lines: object[] = [];
  const clock = new TestClock();
  const watch = new RequestWatch({ warn: (about: object) => lines.push(about) }, null, clock.monotonic);
  const answered = (seconds: number) =>
    watch.recordAnswer(request, 'external', 'listStudents', 200, performance.now() - seconds * 1_000);

  answered(1);
  expect(lines).toEqual([]);
  for (let n = 0; n < 25; n++) answered(2);
  expect(lines).toHaveLength(20);
  expect(lines[0]).toMatchObject({
    event: 'slowRequest',
    requestId: 'a request',
    door: 'external',
    operation: 'listStudents',
    code: 200,
    ms: expect.any(Number),
  });
  clock.advance(60_000);
  answered(2);
  expect(lines).toHaveLength(21);
});
