import { EmbeddedPostgresError, errorCode, errorText } from './embedded/embedded-postgres-error.ts';

/** A database that cannot be used; the message is one line which tells the operator what to do. */
export class DatabaseUnusableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options);
  }
}

const held = 'give Classledger a database, or a schema, of its own';

/** What an operator can mend, by PostgreSQL's and the system's codes. */
const lines: readonly (readonly [RegExp, (reason: string) => string])[] = [
  [
    /^42501$/,
    (reason) => `The role of DATABASE_URL lacks a right (${reason}): grant it, or use another role`,
  ],
  [/^25006$/, (reason) => `The database cannot be written to (${reason}): use one that can`],
  [/^(53100|ENOSPC|EDQUOT)$/, (reason) => `The disk of the database is full (${reason}): make room on it`],
  [/^42(P07|710|723)$/, (reason) => `The database holds something of another program (${reason}): ${held}`],
  [
    /^(08...|28...|3D000|53[023]00|57P0.|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    (reason) => `The database cannot be reached: ${reason}`,
  ],
];

/**
 * Turns what goes wrong with a database into one line for the operator, wherever the operator can mend it.
 *
 * @returns a DatabaseUnusableError, or the error itself when it is nobody's but ours
 */
export function asUnusable(error: unknown): unknown {
  if (error instanceof EmbeddedPostgresError) {
    return new DatabaseUnusableError(`DATA_DIR: ${error.message}`, { cause: error });
  }
  const code = errorCode(error);
  const line = code === undefined ? undefined : lines.find(([codes]) => codes.test(code))?.[1];
  return line === undefined ? error : new DatabaseUnusableError(line(errorText(error)), { cause: error });
}
