import { EmbeddedPostgresError } from '@classledger/embedded-postgres';
import { transientErrorKind } from './transient-errors.ts';

/** The message is one line that tells the operator what to do. */
export class DatabaseUnusableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options);
  }
}

export const citusWorkerError = () =>
  new DatabaseUnusableError(
    'DATABASE_URL names a worker of Citus: name the coordinator, where all processes of the installation connect',
  );

const messages: readonly (readonly [RegExp, (reason: string) => string])[] = [
  [
    /^42501$/,
    (reason) => `The role of DATABASE_URL lacks a right (${reason}): grant it, or use another role`,
  ],
  [
    /^42(P07|710|723)$/,
    (reason) =>
      `The database holds something of another program (${reason}): give Classledger a database, or a schema, of its own`,
  ],
  [/^(ENOSPC|EDQUOT)$/, (reason) => `The disk is full (${reason}): make room on it`],
  [
    /^(28...|3D000|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    (reason) => `The database cannot be reached: ${reason}`,
  ],
];

const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout (expired|exceeded)|Query read timeout)/;

function messageFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message: reason, code } = error as Error & { readonly code?: unknown };
  if (code === '53200') {
    return `The database is out of memory (${reason}): raise its setting max_locks_per_transaction if it says so, or give it more`;
  }
  const kind = transientErrorKind(error);
  if (kind === 'unreachable' || (code === undefined && lostConnection.test(reason)))
    return `The database cannot be reached: ${reason}`;
  if (kind === 'unwritable') {
    return `The database cannot be written to (${reason}): make room on its disk, or end what makes it read-only`;
  }
  return messages.find(([codes]) => codes.test(String(code)))?.[1](reason);
}

const certificateErrorCode =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

export function isUntrustedCertificate(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as Error & { readonly code?: unknown };
  return certificateErrorCode.test(String(code)) || isUntrustedCertificate(cause);
}

export const untrustedCertificateError = (error: Error) =>
  new DatabaseUnusableError(
    `The certificate of the database is not trusted (${error.message}): add sslrootcert=FILE to DATABASE_URL, with the certificate of its CA, and use the host name in the certificate`,
    { cause: error },
  );

/** Converts a database error that an operator can fix into a DatabaseUnusableError; returns other errors unchanged. */
export function toDatabaseUnusable(error: unknown): unknown {
  if (error instanceof DatabaseUnusableError) return error;
  if (isUntrustedCertificate(error)) return untrustedCertificateError(error);
  if (error instanceof EmbeddedPostgresError) {
    return new DatabaseUnusableError(`DATA_DIR: ${error.message}`, { cause: error });
  }
  const message = messageFor(error);
  return message === undefined ? error : new DatabaseUnusableError(message, { cause: error });
}
