import { isAbsolute, join, resolve } from 'node:path';
import { canonicalTimeZone } from '@classledger/contract';
import type { Pooling } from '../database/connect.ts';
import { parseDatabaseServers } from '../database/servers.ts';
import { ConfigError } from '../errors/config-error.ts';
import { type LogFormat, logFormats } from '../telemetry/log-stream.ts';
import { workersMax } from '../workers/worker-count.ts';

/** The settings of one process; docs/operations.md, Settings, explains each. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly workers: number | 'auto';
  /** Null uses the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** For LISTEN; null uses the target of the other connections. */
  readonly databaseListenUrl: string | null;
  readonly databasePooling: Pooling;
  /** Absolute. */
  readonly dataDir: string;
  /** Null uses `secret.key` in `dataDir`. */
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
  /** Limit per client address. */
  readonly applicationsPerHour: number;
  /** Days without a sign-in after which a generated password expires. */
  readonly initialPasswordDays: number;
  /** The same for a password that staff chose; 0 means that it never expires. */
  readonly givenPasswordDays: number;
  readonly strictPasswords: boolean;
  readonly requireConfirmations: boolean;
  readonly schoolTimeZone: string;
  readonly backupDir: string;
  /** Number of nightly backups kept; 0 turns them off. */
  readonly backupKeep: number;
  /** Minutes after midnight. */
  readonly backupAtMinute: number;
  /** Ignored with `trustProxy`. */
  readonly connectionsPerAddressMax: number;
  readonly drainSeconds: number;
  readonly stopSeconds: number;
  readonly trustProxy: boolean;
  readonly httpProvidersOnLoopback: boolean;
  /** Allows webhooks into private networks, there also without https. */
  readonly webhookAllowPrivate: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly metricsToken: string | null;
  readonly traces: { readonly url: string; readonly share: number } | null;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const quoted = (value: string) => `"${value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}"`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables. @throws ConfigError */
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

  const workersOf = (value: string) => {
    const number = /^\d{1,2}$/.test(value) ? Number(value) : 0;
    if (value === 'auto' || (number >= 1 && number <= workersMax)) return number || ('auto' as const);
    throw new ConfigError(
      `WORKERS must be auto or a whole number from 1 to ${workersMax}, not ${quoted(value)}`,
    );
  };
  const url = (name: string) => {
    const value = env[name]?.trim() || null;
    if (value !== null && parseDatabaseServers(value) === null) {
      // The value may contain a password, so the message omits it.
      throw new ConfigError(
        `${name} must be a URL such as postgres://user:password@host:5432/classledger, or with several servers postgres://user:password@one:5432,two:5432/classledger?target_session_attrs=read-write`,
      );
    }
    return value;
  };

  const flag = (name: string) =>
    checked(name, text(name, 'false'), /^(true|false)$/, 'true or false') === 'true';

  const timeZone = (name: string) => {
    const value = text(name, 'UTC');
    const known = canonicalTimeZone(value);
    if (known === null) {
      throw new ConfigError(`${name} must be an IANA time zone such as Asia/Shanghai, not ${quoted(value)}`);
    }
    return known;
  };

  const databaseUrl = url('DATABASE_URL');
  const databaseListenUrl = url('DATABASE_LISTEN_URL');
  const databasePooling = checked(
    'DATABASE_POOLING',
    text('DATABASE_POOLING', 'session'),
    /^(session|transaction)$/,
    'session or transaction',
  ) as Pooling;
  if (databaseUrl === null && databaseListenUrl !== null) {
    throw new ConfigError('DATABASE_LISTEN_URL goes with DATABASE_URL; the embedded database needs none');
  }
  if (databasePooling === 'transaction' && databaseListenUrl === null) {
    throw new ConfigError(
      'DATABASE_POOLING=transaction needs DATABASE_LISTEN_URL: a way to the same database without that pooler, for LISTEN',
    );
  }
  const folder = (path: string) => (isAbsolute(path) ? path : resolve(env.INIT_CWD ?? process.cwd(), path));
  const dataDir = folder(text('DATA_DIR', './data'));
  if (databaseUrl !== null && env.BACKUP_DIR?.trim()) {
    throw new ConfigError(
      'BACKUP_DIR is for the embedded database; back the one of DATABASE_URL up with "classledger backup"',
    );
  }
  const backupTime = checked(
    'BACKUP_TIME',
    text('BACKUP_TIME', '03:00'),
    /^([01]\d|2[0-3]):[0-5]\d$/,
    'a time of day such as 03:00',
  );
  const adminPassword = env.ADMIN_PASSWORD || null;
  if (adminPassword !== null && ([...adminPassword].length < 6 || [...adminPassword].length > 128)) {
    throw new ConfigError('ADMIN_PASSWORD must have 6 to 128 characters');
  }
  const secretKey = text('SECRET_KEY', '') || null;
  if (secretKey !== null && secretKey.length < 32) {
    throw new ConfigError('SECRET_KEY must have at least 32 characters');
  }
  const metricsToken = text('METRICS_TOKEN', '') || null;
  if (metricsToken !== null && !/^[\x21-\x7e]{16,}$/.test(metricsToken)) {
    throw new ConfigError('METRICS_TOKEN must have at least 16 characters, all of them visible ASCII');
  }
  return {
    port: integer('PORT', 3000, 0, 65_535),
    host: checked('HOST', text('HOST', '127.0.0.1'), /^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address'),
    workers: workersOf(text('WORKERS', 'auto')),
    databaseUrl,
    databaseListenUrl,
    databasePooling,
    dataDir,
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
    initialPasswordDays: integer('INITIAL_PASSWORD_DAYS', 90, 1, 3_650),
    givenPasswordDays: integer('GIVEN_PASSWORD_DAYS', 0, 0, 3_650),
    applicationsPerHour: integer('APPLICATIONS_PER_HOUR', 60, 1, 1_000_000),
    strictPasswords:
      checked(
        'PASSWORD_RULES',
        text('PASSWORD_RULES', 'default'),
        /^(default|strict)$/,
        'default or strict',
      ) === 'strict',
    requireConfirmations: flag('REQUIRE_CONFIRMATIONS'),
    schoolTimeZone: timeZone('SCHOOL_TIME_ZONE'),
    backupDir: folder(text('BACKUP_DIR', join(dataDir, 'backups'))),
    backupKeep: integer('BACKUP_KEEP', 7, 0, 1_000),
    backupAtMinute: Number(backupTime.slice(0, 2)) * 60 + Number(backupTime.slice(3)),
    connectionsPerAddressMax: integer('CONNECTIONS_PER_ADDRESS_MAX', 500, 1, 1_000_000),
    drainSeconds: integer('DRAIN_SECONDS', 0, 0, 3_600),
    stopSeconds: integer('STOP_SECONDS', 20, 1, 3_600),
    trustProxy: flag('TRUST_PROXY'),
    httpProvidersOnLoopback: flag('HTTP_PROVIDERS_ON_LOOPBACK'),
    webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE'),
    logLevel: checked(
      'LOG_LEVEL',
      text('LOG_LEVEL', 'info'),
      new RegExp(`^(${logLevels.join('|')})$`),
      `one of ${logLevels.join(', ')}`,
    ) as LogLevel,
    logFormat: checked(
      'LOG_FORMAT',
      text('LOG_FORMAT', 'json'),
      new RegExp(`^(${logFormats.join('|')})$`),
      `one of ${logFormats.join(', ')}`,
    ) as LogFormat,
    metricsToken,
    traces: tracesOf(env),
  };
}

function tracesOf(env: Environment): Config['traces'] {
  const traces = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim();
  const all = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const url = traces || (all && `${all.replace(/\/+$/, '')}/v1/traces`);
  if (!url) return null;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const name = traces ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
    throw new ConfigError(`${name} must be a URL such as http://collector:4318`);
  }
  const share = env.OTEL_TRACES_SAMPLER_ARG?.trim() || '1';
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(share)) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${quoted(share)}`);
  }
  return { url, share: Number(share) };
}
