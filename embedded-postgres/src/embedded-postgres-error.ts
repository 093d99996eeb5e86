/**
 * The embedded database cannot be used, and an operator has to do something about it.
 *
 * Invariant: `message` is one line that makes sense without a stack trace, because it is printed as it is
 * when the product refuses to start. The technical origin, when there is one, travels in `cause`.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options);
  }
}

/** Another process owns the data folder. */
export class FolderInUseError extends EmbeddedPostgresError {
  override readonly name = 'FolderInUseError';
}

/** The cluster is of an older major version: `upgradeCluster` makes one of it that can be used. */
export class OlderClusterError extends EmbeddedPostgresError {
  override readonly name = 'OlderClusterError';
  /** The version that made it. */
  readonly major: string;

  constructor(message: string, major: string) {
    super(message);
    this.major = major;
  }
}

/** The `code` of a Node system error (`ENOENT`, ...), or of a PostgreSQL error (`57P03`, ...), if any. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What an unknown thrown value has to say, for use inside a longer line. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a look at a file or folder finds; undefined when there is none. */
export async function ifThere<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
