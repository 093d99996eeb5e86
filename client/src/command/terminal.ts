import type { Classledger } from '../client.ts';

/** What a command has of the world; tests and other programs give their own. */
export interface Terminal {
  readonly client: Classledger;
  /** Whether results are for programs: one JSON value instead of lines. */
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The result: standard output. */
  print(text: string): void;
  /** What is going on, for people: standard error. */
  tell(text: string): void;
}

/** How a command ends. */
export const exitCodes = {
  done: 0,
  /** Nobody expected it. */
  failed: 1,
  wrongUse: 2,
  /** Some entries of a file were refused; the others are done. */
  partly: 3,
  refused: 4,
  noAnswer: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What the caller can correct: a flag, a file, a setting. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** Prints a result: as JSON, or in words. */
export function show(terminal: Terminal, value: unknown, words: string): void {
  terminal.print(terminal.json ? JSON.stringify(value) : words);
}
