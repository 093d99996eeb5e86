import { AsyncLocalStorage } from 'node:async_hooks';

/** The caller of a connection; the pools serve schools and callers fairly. */
export interface Turn {
  /** 0 while no school is known, for example while a caller is being identified. */
  readonly school: number;
  readonly caller: string;
  readonly slow: boolean;
  /** Fields that identify the request in log lines. */
  readonly inLog?: object | undefined;
}

const nobody: Turn = { school: 0, caller: '', slow: false };

const turns = new AsyncLocalStorage<Turn>();

/** Runs work; the pools count its connections for this school and caller. */
export function inTurnOf<T>(school: number, caller: string, work: () => T): T {
  return inTurn({ school, caller, slow: false }, work);
}

/** Like `inTurnOf`, for a given turn. */
export function inTurn<T>(turn: Turn, work: () => T): T {
  return turns.run(turn, work);
}

/** Runs reads on the pool for slow reads, where each statement has a time limit, unless a transaction has begun. */
export function slowly<T>(isSlow: boolean, read: () => T): T {
  return isSlow ? turns.run({ ...presentTurn(), slow: true }, read) : read();
}

export const presentTurn = (): Turn => turns.getStore() ?? nobody;
