import { expect, it } from 'vitest';
import { StopRequest, StopRequestedError } from './stop-request.ts';

it('a second stop signal within a second is ignored, and a later one cuts work short', () => {
  let now = 5_000;
  const stop = new StopRequest(() => now);
  expect(stop.requested.aborted).toBe(false);
  stop.request('SIGINT');
  now += 900;
  stop.request('SIGINT');
  expect([stop.requested.aborted, stop.cut.aborted]).toEqual([true, false]);
  now += 100;
  stop.request('SIGTERM');
  expect(stop.cut.aborted).toBe(true);
  stop.end();
});

it('a stop signal ends the wait for work at once with StopRequestedError and the signal’s name', async () => {
  const stop = new StopRequest(() => 0);
  const given = stop.waitFor(new Promise(() => {}));
  stop.request('SIGHUP');
  await expect(given).rejects.toThrow(StopRequestedError);
  await expect(stop.waitFor(Promise.resolve(1))).rejects.toThrow('SIGHUP');
  stop.end();
});
