import { isAbsolute, resolve } from 'node:path';

/** The settings of one process; see the README for what each means. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  /** Null: the one in `secret.key` of `dataDir`. */
  readonly secretKey: string | null;
  readonly adminUsername: string;
  readonly adminPassword: string | null;
  readonly tokenPrefix: string;
  readonly tokenMaxExpireDays: number;
  readonly rateLimitTotalPerMinute: number;
  readonly rateLimitWritePerMinute: number;
  readonly idempotencyKeyMaxLength: number;
  readonly idempotencyRetentionHours: number;
  readonly auditRetentionDays: number;
  readonly applicationRetentionDays: number;
  readonly initialPasswordDays: number;
  /** Does not hold behind a proxy. */
  readonly connectionsPerAddressMax: number;
  readonly drainSeconds: number;
  readonly stopSeconds: number;
  readonly trustProxy: boolean;
  /** Sign-in providers on this machine may go without https. */
  readonly httpProvidersOnLoopback: boolean;
  readonly logLevel: LogLevel;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A setting that cannot be used; the message is one line that names the variable and what it takes. */
export class ConfigError extends Error {}

/** A bad value as part of a line. */
const quoted = (value: string) => `"${value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}"`;

/** pg also takes `user@/database`, with the host among the parameters, which is no URL to others. */
const isPostgresUrl = (text: string) =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@host/'));

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from environment variables.
 *
 * @throws ConfigError
 */
export function readConfig(env: Environment): Config {
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name, String(fallback));
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${quoted(value)}`);
    }
    return number;
  };
  const checked = (name: string, value: string, form: RegExp, takes: string) => {
    if (!form.test(value)) throw new ConfigError(`${name} must be ${takes}, not ${quoted(value)}`);
    return value;
  };

  const databaseUrl = env.DATABASE_URL?.trim() || null;
  if (databaseUrl !== null && !isPostgresUrl(databaseUrl)) {
    // The value may hold a password and is not repeated.
    throw new ConfigError(
      'DATABASE_URL must be a URL such as postgres://user:password@host:5432/classledger',
    );
  }
  const dataDir = text('DATA_DIR', './data');
  const adminPassword = env.ADMIN_PASSWORD || null;
  if (adminPassword !== null && ([...adminPassword].length < 6 || [...adminPassword].length > 128)) {
    throw new ConfigError('ADMIN_PASSWORD must have 6 to 128 characters');
  }
  const secretKey = text('SECRET_KEY', '') || null;
  if (secretKey !== null && secretKey.length < 32) {
    throw new ConfigError('SECRET_KEY must have at least 32 characters');
  }
  return {
    port: integer('PORT', 3000, 0, 65_535),
    host: checked('HOST', text('HOST', '127.0.0.1'), /^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address'),
    databaseUrl,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(env.INIT_CWD ?? process.cwd(), dataDir),
    secretKey,
    adminUsername: checked(
      'ADMIN_USERNAME',
      text('ADMIN_USERNAME', 'admin'),
      /^[^\p{Cc}\p{Cs}]{1,64}$/u,
      '1 to 64 characters without control characters',
    ),
    adminPassword,
    tokenPrefix: checked(
      'TOKEN_PREFIX',
      text('TOKEN_PREFIX', 'cls'),
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,19}$/,
      '1 to 20 letters, digits, hyphens or underscores, a letter or digit first',
    ),
    tokenMaxExpireDays: integer('TOKEN_MAX_EXPIRE_DAYS', 365, 1, 36_500),
    rateLimitTotalPerMinute: integer('RATE_LIMIT_TOTAL_PER_MINUTE', 600, 1, 100_000_000),
    rateLimitWritePerMinute: integer('RATE_LIMIT_WRITE_PER_MINUTE', 120, 1, 100_000_000),
    idempotencyKeyMaxLength: integer('IDEMPOTENCY_KEY_MAX_LENGTH', 128, 1, 1_000),
    idempotencyRetentionHours: integer('IDEMPOTENCY_RETENTION_HOURS', 24, 24, 8_760),
    auditRetentionDays: integer('AUDIT_RETENTION_DAYS', 30, 1, 3_650),
    applicationRetentionDays: integer('APPLICATION_RETENTION_DAYS', 365, 1, 3_650),
    initialPasswordDays: integer('INITIAL_PASSWORD_DAYS', 30, 1, 3_650),
    connectionsPerAddressMax: integer('CONNECTIONS_PER_ADDRESS_MAX', 500, 1, 1_000_000),
    drainSeconds: integer('DRAIN_SECONDS', 0, 0, 3_600),
    stopSeconds: integer('STOP_SECONDS', 20, 1, 3_600),
    trustProxy:
      checked('TRUST_PROXY', text('TRUST_PROXY', 'false'), /^(true|false)$/, 'true or false') === 'true',
    httpProvidersOnLoopback:
      checked(
        'HTTP_PROVIDERS_ON_LOOPBACK',
        text('HTTP_PROVIDERS_ON_LOOPBACK', 'false'),
        /^(true|false)$/,
        'true or false',
      ) === 'true',
    logLevel: checked(
      'LOG_LEVEL',
      text('LOG_LEVEL', 'info'),
      new RegExp(`^(${logLevels.join('|')})$`),
      `one of ${logLevels.join(', ')}`,
    ) as LogLevel,
  };
}
