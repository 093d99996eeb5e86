import { isAbsolute, join, resolve } from 'node:path';
import { canonicalTimeZone } from '@classledger/contract';
import { parseDatabaseServers } from '../database/servers.ts';
import { ConfigError } from '../errors/config-error.ts';
import { logFormats } from '../telemetry/log-stream.ts';
import { workersMax } from '../workers/worker-count.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const quoted = (value: string) => `"${value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}"`;

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of one process; docs/operations.md, Settings, explains each. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Reads the settings from environment variables. @throws ConfigError */
export function readConfig(env: Environment) {
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name, String(fallback));
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${quoted(value)}`);
    }
    return number;
  };
  const matching = (name: string, fallback: string, form: RegExp, takes: string) => {
    const value = text(name, fallback);
    if (!form.test(value)) throw new ConfigError(`${name} must be ${takes}, not ${quoted(value)}`);
    return value;
  };

  const oneOf = <const V extends string>(name: string, values: readonly V[], fallback: V) => {
    const takes = values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;
    return matching(name, fallback, new RegExp(`^(${values.join('|')})$`), takes) as V;
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

  const flag = (name: string) => oneOf(name, ['true', 'false'], 'false') === 'true';

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
  const databasePooling = oneOf('DATABASE_POOLING', ['session', 'transaction'], 'session');
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
  const backupTime = matching(
    'BACKUP_TIME',
    '03:00',
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
    host: matching('HOST', '127.0.0.1', /^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address'),
    workers: workersOf(text('WORKERS', 'auto')),
    /** Null uses the embedded PostgreSQL in `dataDir`. */
    databaseUrl,
    /** For LISTEN; null uses the target of the other connections. */
    databaseListenUrl,
    databasePooling,
    /** Absolute. */
    dataDir,
    /** Null uses `secret.key` in `dataDir`. */
    secretKey,
    adminUsername: matching(
      'ADMIN_USERNAME',
      'admin',
      /^[^\p{Cc}\p{Cs}]{1,64}$/u,
      '1 to 64 characters without control characters',
    ),
    adminPassword,
    tokenPrefix: matching(
      'TOKEN_PREFIX',
      'cls',
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
    /** Days without a sign-in after which a generated password expires. */
    initialPasswordDays: integer('INITIAL_PASSWORD_DAYS', 90, 1, 3_650),
    /** The same for a password that staff chose; 0 means that it never expires. */
    givenPasswordDays: integer('GIVEN_PASSWORD_DAYS', 0, 0, 3_650),
    /** Limit per client address. */
    applicationsPerHour: integer('APPLICATIONS_PER_HOUR', 60, 1, 1_000_000),
    strictPasswords: oneOf('PASSWORD_RULES', ['default', 'strict'], 'default') === 'strict',
    requireConfirmations: flag('REQUIRE_CONFIRMATIONS'),
    schoolTimeZone: timeZone('SCHOOL_TIME_ZONE'),
    backupDir: folder(text('BACKUP_DIR', join(dataDir, 'backups'))),
    /** Number of nightly backups kept; 0 turns them off. */
    backupKeep: integer('BACKUP_KEEP', 7, 0, 1_000),
    /** Minutes after midnight. */
    backupAtMinute: Number(backupTime.slice(0, 2)) * 60 + Number(backupTime.slice(3)),
    /** Ignored with `trustProxy`. */
    connectionsPerAddressMax: integer('CONNECTIONS_PER_ADDRESS_MAX', 500, 1, 1_000_000),
    drainSeconds: integer('DRAIN_SECONDS', 0, 0, 3_600),
    stopSeconds: integer('STOP_SECONDS', 20, 1, 3_600),
    trustProxy: flag('TRUST_PROXY'),
    httpProvidersOnLoopback: flag('HTTP_PROVIDERS_ON_LOOPBACK'),
    /** Allows webhooks into private networks, there also without https. */
    webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE'),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    logFormat: oneOf('LOG_FORMAT', logFormats, 'json'),
    metricsToken,
    traces: tracesOf(env),
  };
}

function tracesOf(env: Environment): { readonly url: string; readonly share: number } | null {
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
