import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom a connection is taken. */
export interface Turn {
  /** 0 where no school is known, as while a caller is being identified. */
  readonly school: number;
  readonly caller: string;
  /** The reads are known to take long where there is much data. */
  readonly slow: boolean;
  /** What the lines of the log that come of it name: the request. */
  readonly inLog?: object | undefined;
}

const nobody: Turn = { school: 0, caller: '', slow: false };

const turns = new AsyncLocalStorage<Turn>();

/** Does work whose connections are taken in the turn of a school and a caller. */
export function inTurnOf<T>(school: number, caller: string, work: () => T): T {
  return inTurn({ school, caller, slow: false }, work);
}

/** Does work whose connections are taken in that turn. */
export function inTurn<T>(turn: Turn, work: () => T): T {
  return turns.run(turn, work);
}

/**
 * Reads what may take long: on the few connections that are kept for such reads, and not for longer than their
 * limit of time. Reads only; a transaction that has begun stays on its connection.
 *
 * @param isSlow false leaves the reads where they are
 */
export function slowly<T>(isSlow: boolean, read: () => T): T {
  return isSlow ? turns.run({ ...presentTurn(), slow: true }, read) : read();
}

export const presentTurn = (): Turn => turns.getStore() ?? nobody;
