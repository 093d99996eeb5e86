import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueueOrigin } from '../concurrency/fair-queue.ts';

/** The caller of a connection; the pools serve schools and callers fairly. */
export interface Caller {
  /** 0 while no school is known, for example while a caller is being identified. */
  readonly schoolId: number;
  readonly name: string;
  readonly isSlow: boolean;
  readonly logFields?: object | undefined;
}

const noCaller: Caller = { schoolId: 0, name: '', isSlow: false };

const callerStorage = new AsyncLocalStorage<Caller>();

/** Runs work. The pools count connections that the work uses for this school and caller. */
export function runAs<T>(schoolId: number, name: string, work: () => T): T {
  return runAsCaller({ schoolId, name, isSlow: false }, work);
}

export function runAsCaller<T>(caller: Caller, work: () => T): T {
  return callerStorage.run(caller, work);
}

/** Runs reads on the pool for slow reads, where each statement has a time limit, unless a transaction has begun. */
export function runOnSlowPool<T>(isSlow: boolean, read: () => T): T {
  return isSlow ? callerStorage.run({ ...currentCaller(), isSlow: true }, read) : read();
}

/** Returns the key `''` while the school is unknown, so that no school's limit applies to the caller. */
export const queueOriginOf = ({ schoolId, name }: Caller): QueueOrigin => [
  schoolId === 0 ? '' : String(schoolId),
  name,
];

export const currentCaller = (): Caller => callerStorage.getStore() ?? noCaller;
