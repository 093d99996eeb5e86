import { inspect } from 'node:util';
import type { FastifyLoggerOptions, PinoLoggerOptions } from 'fastify/types/logger.js';

export const logFormats = ['json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Returns options for a log on standard error; standard output is for the start-up line. */
export function logOptions(level: string, format: LogFormat): FastifyLoggerOptions & PinoLoggerOptions {
  return {
    level,
    stream:
      format === 'json' ? process.stderr : { write: (line) => process.stderr.write(formatPretty(line)) },
    serializers: { err: errorInLog },
    // Drops Fastify's line about listening; our own says more.
    hooks: {
      logMethod(line, write) {
        if (line[0] !== unloggedMessage) write.apply(this, line);
      },
    },
  };
}

const causesMax = 5;

/** Serialises an error without PostgreSQL's details, which contain a rejected row with names and hashes. */
function errorInLog(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: inspect(error), stack: '' };
  const { code } = error as Error & { readonly code?: string };
  const stacks: string[] = [];
  let cause: unknown = error;
  for (let depth = 0; depth < causesMax && cause instanceof Error; depth++, cause = cause.cause) {
    stacks.push(cause.stack ?? cause.message);
  }
  return { type: error.name, message: error.message, code, stack: stacks.join('\ncaused by: ') };
}

export const unloggedMessage = '';

const levels: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
}

/** Formats a line as `2026-09-15 10:00:00 INFO  account event=signedIn adminId=1`; an error's stack follows. */
export function formatPretty(line: string): string {
  const { level, time, msg = '', err, pid: _, hostname: __, ...rest } = JSON.parse(line) as LogLine;
  // The Swedish locale formats times like ISO, in local time.
  const localTime = new Date(time).toLocaleString('sv-SE');
  const fields = Object.entries(rest).map(
    ([name, value]) => `${withoutControlCharacters(name)}=${formatValue(value)}`,
  );
  const text = [
    localTime,
    (levels[level] ?? String(level)).padEnd(5),
    withoutControlCharacters(msg),
    ...fields,
  ].join(' ');
  const stack = err?.stack?.split('\n').map((each) => `    ${withoutControlCharacters(each)}\n`) ?? [];
  return `${text}\n${stack.join('')}`;
}

const formatValue = (value: unknown) =>
  typeof value === 'string' && /^[^\s"=\p{Cc}]+$/u.test(value)
    ? value
    : withoutControlCharacters(inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 }));

/** Removes control characters, so that senders cannot move the cursor or change the colours of a terminal. */
export const withoutControlCharacters = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
