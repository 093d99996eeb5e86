import type { Classledger } from '../client.ts';

export interface Terminal {
  readonly client: Classledger;
  /** Whether to print results as one JSON value, for programs. */
  readonly json: boolean;
  readonly signal: AbortSignal;
  print(text: string): void;
  printNotice(text: string): void;
}

export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  partly: 3,
  refused: 4,
  noAnswer: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A mistake that the caller can correct: a flag, a file or a setting. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function printResult(terminal: Terminal, value: unknown, words: string): void {
  terminal.print(terminal.json ? JSON.stringify(value) : words);
}
