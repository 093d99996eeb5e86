import { describe, expect, it } from 'vitest';
import { FairSemaphore, type SemaphoreLimits } from './fair-semaphore.ts';
import { DatabaseBusyError } from './trouble.ts';

const rules: SemaphoreLimits = {
  slots: 3,
  reserved: 1,
  perSchoolMax: 1,
  waitingPerSchoolMax: 300,
  waitMs: 60_000,
};

function watched(own: Partial<SemaphoreLimits> = {}) {
  const places = new FairSemaphore({ ...rules, ...own });
  const entered: string[] = [];
  const inside = new Map<string, () => void>();
  const come = (school: number, caller: string, name: string, urgent = false) =>
    places.acquire({ schoolId: school, name: caller, isSlow: false }, urgent).then((leave) => {
      entered.push(name);
      inside.set(name, leave);
    });
  const came = (...visit: Parameters<typeof come>) => void come(...visit).catch(() => {});
  const empty = async () => {
    while (inside.size > 0) {
      for (const [name, leave] of inside) {
        inside.delete(name);
        leave();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  return { come, came, empty, entered, inside };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Fair places', () => {
  it('alternate between schools, so 300 requests of one delay another by one turn', async () => {
    const { came, empty, entered } = watched({ slots: 1, reserved: 0 });
    for (let i = 0; i < 300; i++) came(1, 'a', `one ${i}`);
    for (let i = 0; i < 2; i++) came(2, 'b', `two ${i}`);
    await empty();
    await settled();
    await empty();
    expect(entered).toHaveLength(302);
    expect(entered.slice(0, 6)).toEqual(['one 0', 'one 1', 'two 0', 'one 2', 'two 1', 'one 3']);
  });

  it('alternate between the callers of a school', async () => {
    const { came, empty, entered } = watched({ slots: 1, reserved: 0 });
    for (const name of ['a0', 'a1', 'a2', 'a3']) came(1, 'a', name);
    came(1, 'b', 'b0');
    await settled();
    await empty();
    expect(entered).toEqual(['a0', 'a1', 'b0', 'a2', 'a3']);
  });

  it('keep a place for other schools and for urgent work', async () => {
    const { came, entered, inside } = watched();
    for (const name of ['one 0', 'one 1', 'one 2']) came(1, 'a', name);
    came(2, 'b', 'two 0');
    came(3, 'c', 'three 0');
    await settled();
    expect(entered).toEqual(['one 0', 'two 0']);
    came(1, 'ledger', 'urgent', true);
    await settled();
    expect(entered).toEqual(['one 0', 'two 0', 'urgent']);
    came(1, 'ledger', 'urgent too', true);
    inside.get('two 0')?.();
    await settled();
    expect(entered.slice(3)).toEqual(['urgent too']);
  });

  it('have no per-school limit for requests without a known school', async () => {
    const { came, entered } = watched({ slots: 3, reserved: 0 });
    for (const name of ['one', 'two', 'three']) came(0, name, name);
    await settled();
    expect(entered).toEqual(['one', 'two', 'three']);
  });

  it('are refused when too many requests of a school wait', async () => {
    const { come, came } = watched({ slots: 1, reserved: 0, waitingPerSchoolMax: 2 });
    for (const name of ['in', 'waits', 'waits too']) came(1, 'a', name);
    await expect(come(1, 'a', 'refused')).rejects.toBeInstanceOf(DatabaseBusyError);
  });

  it('are refused after the longest wait, and then go to the next request', async () => {
    const { come, came, entered, inside } = watched({ slots: 1, reserved: 0, waitMs: 5 });
    came(1, 'a', 'in');
    await expect(come(1, 'a', 'given up')).rejects.toBeInstanceOf(DatabaseBusyError);
    inside.get('in')?.();
    await come(1, 'a', 'next');
    expect(entered).toEqual(['in', 'next']);
  });
});
