import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { type Config, readConfig } from './config.ts';

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`Accepted: ${JSON.stringify(env)}`);
}

/** Each setting: variable, key, default, a given text and the value read from it. */
const settings: readonly (readonly [string, keyof Config, unknown, string, unknown])[] = [
  ['PORT', 'port', 3000, ' 8080 ', 8080],
  ['HOST', 'host', '127.0.0.1', '::1', '::1'],
  ['WORKERS', 'workers', 'auto', ' 4 ', 4],
  ['DATABASE_URL', 'databaseUrl', null, 'postgres://u:p@db/c', 'postgres://u:p@db/c'],
  ['DATABASE_LISTEN_URL', 'databaseListenUrl', null, 'postgres://one,two/c', 'postgres://one,two/c'],
  ['DATABASE_POOLING', 'databasePooling', 'session', 'transaction', 'transaction'],
  ['DATA_DIR', 'dataDir', resolve('./data'), '/var/data', '/var/data'],
  ['SECRET_KEY', 'secretKey', null, ` ${'k'.repeat(32)} `, 'k'.repeat(32)],
  ['ADMIN_USERNAME', 'adminUsername', 'admin', 'Frau Müller', 'Frau Müller'],
  ['ADMIN_PASSWORD', 'adminPassword', null, ' with spaces ', ' with spaces '],
  ['TOKEN_PREFIX', 'tokenPrefix', 'cls', 'my-school_2', 'my-school_2'],
  ['TOKEN_MAX_EXPIRE_DAYS', 'tokenMaxExpireDays', 365, '30', 30],
  ['RATE_LIMIT_TOTAL_PER_MINUTE', 'rateLimitTotalPerMinute', 600, '10', 10],
  ['RATE_LIMIT_WRITE_PER_MINUTE', 'rateLimitWritePerMinute', 120, '5', 5],
  ['IDEMPOTENCY_KEY_MAX_LENGTH', 'idempotencyKeyMaxLength', 128, '64', 64],
  ['IDEMPOTENCY_RETENTION_HOURS', 'idempotencyRetentionHours', 24, '48', 48],
  ['AUDIT_RETENTION_DAYS', 'auditRetentionDays', 30, '90', 90],
  ['APPLICATION_RETENTION_DAYS', 'applicationRetentionDays', 365, '730', 730],
  ['APPLICATIONS_PER_HOUR', 'applicationsPerHour', 60, '5', 5],
  ['INITIAL_PASSWORD_DAYS', 'initialPasswordDays', 90, '14', 14],
  ['GIVEN_PASSWORD_DAYS', 'givenPasswordDays', 0, '60', 60],
  ['PASSWORD_RULES', 'strictPasswords', false, 'strict', true],
  ['REQUIRE_CONFIRMATIONS', 'requireConfirmations', false, 'true', true],
  ['SCHOOL_TIME_ZONE', 'schoolTimeZone', 'UTC', 'asia/calcutta', 'Asia/Kolkata'],
  // The folder lies in DATA_DIR.
  ['', 'backupDir', resolve('./data/backups'), '', '/var/data/backups'],
  ['BACKUP_KEEP', 'backupKeep', 7, '0', 0],
  ['BACKUP_TIME', 'backupAtMinute', 3 * 60, '23:59', 24 * 60 - 1],
  ['CONNECTIONS_PER_ADDRESS_MAX', 'connectionsPerAddressMax', 500, '40', 40],
  ['DRAIN_SECONDS', 'drainSeconds', 0, '15', 15],
  ['STOP_SECONDS', 'stopSeconds', 20, '60', 60],
  ['TRUST_PROXY', 'trustProxy', false, 'true', true],
  ['HTTP_PROVIDERS_ON_LOOPBACK', 'httpProvidersOnLoopback', false, 'true', true],
  ['WEBHOOK_ALLOW_PRIVATE', 'webhookAllowPrivate', false, 'true', true],
  ['LOG_LEVEL', 'logLevel', 'info', 'debug', 'debug'],
  ['LOG_FORMAT', 'logFormat', 'json', 'pretty', 'pretty'],
  ['METRICS_TOKEN', 'metricsToken', null, ' 16-characters-at-least ', '16-characters-at-least'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'traces',
    null,
    ' http://h:4318/ ',
    { url: 'http://h:4318/v1/traces', share: 0.25 },
  ],
];

it('settings have the documented defaults, also if a variable is empty or blank', () => {
  const byDefault = Object.fromEntries(settings.map(([, key, value]) => [key, value]));
  // A password may be blank.
  const names = settings.map(([name]) => name).filter((name) => name !== 'ADMIN_PASSWORD');
  for (const blank of [undefined, '', '  ']) {
    expect(readConfig(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(byDefault);
  }
});

it('settings take the values of their variables', () => {
  const given = Object.fromEntries(settings.map(([name, , , value]) => [name, value]));
  expect(readConfig({ ...given, OTEL_TRACES_SAMPLER_ARG: ' 0.25 ' })).toEqual(
    Object.fromEntries(settings.map(([, key, , , value]) => [key, value])),
  );
});

it.each([
  ['PORT', 0, 65_535],
  ['TOKEN_MAX_EXPIRE_DAYS', 1, 36_500],
  ['RATE_LIMIT_TOTAL_PER_MINUTE', 1, 100_000_000],
  ['RATE_LIMIT_WRITE_PER_MINUTE', 1, 100_000_000],
  ['CONNECTIONS_PER_ADDRESS_MAX', 1, 1_000_000],
  ['IDEMPOTENCY_KEY_MAX_LENGTH', 1, 1_000],
  ['IDEMPOTENCY_RETENTION_HOURS', 24, 8_760],
  ['AUDIT_RETENTION_DAYS', 1, 3_650],
  ['APPLICATION_RETENTION_DAYS', 1, 3_650],
  ['INITIAL_PASSWORD_DAYS', 1, 3_650],
  ['GIVEN_PASSWORD_DAYS', 0, 3_650],
  ['BACKUP_KEEP', 0, 1_000],
  ['DRAIN_SECONDS', 0, 3_600],
  ['STOP_SECONDS', 1, 3_600],
])('%s accepts only whole numbers from %i to %i', (name, min, max) => {
  const key = settings.find(([other]) => other === name)?.[1] as keyof Config;
  for (const good of [min, max]) expect(readConfig({ [name]: String(good) })[key]).toBe(good);
  for (const bad of [min - 1, max + 1, -1, 1.5, '1e3', '0x10', 'many', '10 days', '٣', '9'.repeat(40)]) {
    expect(refusal({ [name]: String(bad) })).toMatch(new RegExp(`${name}.*from ${min} to ${max}`));
  }
});

it.each([
  ['WORKERS', ['auto', '1', '64'], ['0', '65', '1.5', 'all', '100']],
  ['HOST', ['localhost', '0.0.0.0', '::', 'db-1.example.org'], ['a b', 'http://x', 'host/path', 'x;y']],
  ['ADMIN_USERNAME', ['a', 'x'.repeat(64), '管理员'], ['x'.repeat(65), 'a\tb', 'a\u0007b']],
  [
    'ADMIN_PASSWORD',
    ['x'.repeat(6), 'x'.repeat(128), '🔑'.repeat(128)],
    ['x'.repeat(5), 'x'.repeat(129), '🔑🔑🔑'],
  ],
  ['TOKEN_PREFIX', ['x', 'A1', 'my_school-2', 'x'.repeat(20)], ['_x', '-x', 'a b', 'x'.repeat(21), 'é']],
  ['PASSWORD_RULES', ['default', 'strict', ''], ['none', 'STRICT', 'true']],
  ['REQUIRE_CONFIRMATIONS', ['true', 'false'], ['yes', '1', 'TRUE']],
  ['TRUST_PROXY', ['true', 'false'], ['yes', '1', 'TRUE', 'loopback']],
  ['SCHOOL_TIME_ZONE', ['Asia/Shanghai', 'UTC', ''], ['+08:00', 'CST', 'Shanghai', 'UTC+8']],
  ['BACKUP_TIME', ['00:00', '23:59'], ['24:00', '3:00', '0300']],
  ['LOG_FORMAT', ['json', 'pretty'], ['PRETTY', 'text']],
  ['METRICS_TOKEN', ['x'.repeat(16)], ['x'.repeat(15), `${'x'.repeat(16)} y`, 'é'.repeat(20)]],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://h:4318', 'https://h/x'], ['h:4318', 'grpc://h', 'http://a b']],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http://h/v1/traces'], ['/v1/traces']],
  ['LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], ['verbose', 'INFO', '3']],
  [
    'DATABASE_URL',
    ['postgres://h/d', 'postgresql://u:p@h:5432/d', 'postgres:///d?host=/run'],
    ['mysql://h/d', 'h/d'],
  ],
])('%s accepts its documented values and rejects others by name', (name, good, bad) => {
  for (const value of good) expect(() => readConfig({ [name]: value })).not.toThrow();
  for (const value of bad) expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name} must `));
});

it('a wrong value is reported in one printable line', () => {
  expect(refusal({ HOST: 'a\nb\u001bc\u2028d' })).toMatch(/^HOST must be .*, not "a b c d"$/);
});

it('an error about a setting never repeats a secret', () => {
  for (const url of [
    'mysql://user:hunter2secret@host/db',
    'hunter2secret',
    'postgres://user:hunter2secret@host:99999/db',
    'postgres://user:hunter2secret@ho st/db',
  ]) {
    const message = refusal({ DATABASE_URL: url });
    expect(message).toMatch(/^DATABASE_URL must be a URL such as postgres:\/\//);
    expect(message).not.toContain('hunter2secret');
  }
  expect(refusal({ ADMIN_PASSWORD: 'hunt2' })).not.toContain('hunt2');
  for (const token of ['hunter2', 'hunter2 hunter2 hunter2']) {
    expect(refusal({ METRICS_TOKEN: token })).not.toContain('hunter2');
  }
  expect(refusal({ SECRET_KEY: 'hunter2' })).toBe('SECRET_KEY must have at least 32 characters');
});

it('DATA_DIR is resolved from INIT_CWD, or else from the working directory', () => {
  expect(readConfig({ DATA_DIR: 'files', INIT_CWD: '/srv/app' }).dataDir).toBe('/srv/app/files');
  expect(readConfig({ DATA_DIR: 'files' }).dataDir).toBe(resolve('files'));
  expect(readConfig({ DATA_DIR: '/files', INIT_CWD: '/srv/app' }).dataDir).toBe('/files');
});
