import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { readConfig } from './config.ts';

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`Accepted: ${JSON.stringify(env)}`);
}

describe('Settings', () => {
  it('settings have the documented defaults', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      workers: 'auto',
      databaseUrl: null,
      databaseListenUrl: null,
      databasePooling: 'session',
      dataDir: resolve('./data'),
      secretKey: null,
      adminUsername: 'admin',
      adminPassword: null,
      tokenPrefix: 'cls',
      tokenMaxExpireDays: 365,
      rateLimitTotalPerMinute: 600,
      rateLimitWritePerMinute: 120,
      idempotencyKeyMaxLength: 128,
      idempotencyRetentionHours: 24,
      auditRetentionDays: 30,
      applicationRetentionDays: 365,
      initialPasswordDays: 90,
      givenPasswordDays: 0,
      applicationsPerHour: 60,
      strictPasswords: false,
      requireConfirmations: false,
      schoolTimeZone: 'UTC',
      backupDir: resolve('./data/backups'),
      backupKeep: 7,
      backupAtMinute: 180,
      connectionsPerAddressMax: 500,
      drainSeconds: 0,
      stopSeconds: 20,
      trustProxy: false,
      httpProvidersOnLoopback: false,
      webhookAllowPrivate: false,
      logLevel: 'info',
      logFormat: 'json',
      metricsToken: null,
      traces: null,
    });
  });

  it('an empty or blank variable gives the default', () => {
    const names = ['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'ADMIN_USERNAME', 'TOKEN_PREFIX', 'LOG_LEVEL'];
    for (const blank of ['', '  ']) {
      expect(readConfig(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(readConfig({}));
    }
  });

  it('settings take the values of their variables', () => {
    expect(
      readConfig({
        PORT: ' 8080 ',
        HOST: '::1',
        WORKERS: ' 4 ',
        DATABASE_URL: 'postgres://user:secret@db.example:5432/classledger',
        DATABASE_LISTEN_URL: 'postgres://user:secret@one,two/classledger',
        DATABASE_POOLING: 'transaction',
        DATA_DIR: '/var/lib/classledger',
        SECRET_KEY: ' 32 characters and perhaps some more ',
        ADMIN_USERNAME: 'Frau Müller',
        ADMIN_PASSWORD: ' with spaces ',
        TOKEN_PREFIX: 'my-school_2',
        TOKEN_MAX_EXPIRE_DAYS: '30',
        RATE_LIMIT_TOTAL_PER_MINUTE: '10',
        RATE_LIMIT_WRITE_PER_MINUTE: '5',
        IDEMPOTENCY_KEY_MAX_LENGTH: '64',
        IDEMPOTENCY_RETENTION_HOURS: '48',
        AUDIT_RETENTION_DAYS: '90',
        APPLICATION_RETENTION_DAYS: '730',
        APPLICATIONS_PER_HOUR: '5',
        INITIAL_PASSWORD_DAYS: '14',
        GIVEN_PASSWORD_DAYS: '60',
        PASSWORD_RULES: 'strict',
        REQUIRE_CONFIRMATIONS: 'true',
        SCHOOL_TIME_ZONE: 'asia/calcutta',
        CONNECTIONS_PER_ADDRESS_MAX: '40',
        DRAIN_SECONDS: '15',
        STOP_SECONDS: '60',
        TRUST_PROXY: 'true',
        HTTP_PROVIDERS_ON_LOOPBACK: 'true',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        LOG_LEVEL: 'debug',
        LOG_FORMAT: 'pretty',
        METRICS_TOKEN: ' 16-characters-at-least ',
        OTEL_EXPORTER_OTLP_ENDPOINT: ' http://collector:4318/ ',
        OTEL_TRACES_SAMPLER_ARG: ' 0.25 ',
        BACKUP_TIME: '23:59',
        BACKUP_KEEP: '0',
      }),
    ).toEqual({
      port: 8080,
      host: '::1',
      workers: 4,
      databaseUrl: 'postgres://user:secret@db.example:5432/classledger',
      databaseListenUrl: 'postgres://user:secret@one,two/classledger',
      databasePooling: 'transaction',
      dataDir: '/var/lib/classledger',
      secretKey: '32 characters and perhaps some more',
      adminUsername: 'Frau Müller',
      adminPassword: ' with spaces ',
      tokenPrefix: 'my-school_2',
      tokenMaxExpireDays: 30,
      rateLimitTotalPerMinute: 10,
      rateLimitWritePerMinute: 5,
      idempotencyKeyMaxLength: 64,
      idempotencyRetentionHours: 48,
      auditRetentionDays: 90,
      applicationRetentionDays: 730,
      applicationsPerHour: 5,
      initialPasswordDays: 14,
      givenPasswordDays: 60,
      strictPasswords: true,
      requireConfirmations: true,
      schoolTimeZone: 'Asia/Kolkata',
      backupDir: '/var/lib/classledger/backups',
      backupKeep: 0,
      backupAtMinute: 24 * 60 - 1,
      connectionsPerAddressMax: 40,
      drainSeconds: 15,
      stopSeconds: 60,
      trustProxy: true,
      httpProvidersOnLoopback: true,
      webhookAllowPrivate: true,
      logLevel: 'debug',
      logFormat: 'pretty',
      metricsToken: '16-characters-at-least',
      traces: { url: 'http://collector:4318/v1/traces', share: 0.25 },
    });
  });

  it.each([
    ['PORT', 'port', 0, 65_535],
    ['TOKEN_MAX_EXPIRE_DAYS', 'tokenMaxExpireDays', 1, 36_500],
    ['RATE_LIMIT_TOTAL_PER_MINUTE', 'rateLimitTotalPerMinute', 1, 100_000_000],
    ['RATE_LIMIT_WRITE_PER_MINUTE', 'rateLimitWritePerMinute', 1, 100_000_000],
    ['CONNECTIONS_PER_ADDRESS_MAX', 'connectionsPerAddressMax', 1, 1_000_000],
    ['IDEMPOTENCY_KEY_MAX_LENGTH', 'idempotencyKeyMaxLength', 1, 1_000],
    ['IDEMPOTENCY_RETENTION_HOURS', 'idempotencyRetentionHours', 24, 8_760],
    ['AUDIT_RETENTION_DAYS', 'auditRetentionDays', 1, 3_650],
    ['APPLICATION_RETENTION_DAYS', 'applicationRetentionDays', 1, 3_650],
    ['INITIAL_PASSWORD_DAYS', 'initialPasswordDays', 1, 3_650],
    ['GIVEN_PASSWORD_DAYS', 'givenPasswordDays', 0, 3_650],
    ['BACKUP_KEEP', 'backupKeep', 0, 1_000],
    ['DRAIN_SECONDS', 'drainSeconds', 0, 3_600],
    ['STOP_SECONDS', 'stopSeconds', 1, 3_600],
  ] as const)('%s accepts only whole numbers within its bounds', (name, key, min, max) => {
    for (const good of [min, max]) expect(readConfig({ [name]: String(good) })[key]).toBe(good);
    for (const bad of [min - 1, max + 1, -1, 1.5, '1e3', '0x10', 'many', '10 days', '٣', '9'.repeat(40)]) {
      const message = refusal({ [name]: String(bad) });
      expect(message).toContain(name);
      expect(message).toContain(`from ${min} to ${max}`);
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

  it('a wrong value is reported in one printable line that begins with the variable’s name', () => {
    const names = [
      ...['PORT', 'HOST', 'DATABASE_URL', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'TOKEN_PREFIX', 'LOG_LEVEL'],
      ...['TRUST_PROXY', 'AUDIT_RETENTION_DAYS', 'IDEMPOTENCY_RETENTION_HOURS', 'TOKEN_MAX_EXPIRE_DAYS'],
    ];
    const value = fc.string({
      unit: fc.constantFrom('a', '1', '\n', '\r', '\u2028', '\u001b', ' ', '/', '"'),
    });
    fc.assert(
      fc.property(fc.constantFrom(...names), value, (name, text) => {
        try {
          readConfig({ [name]: text });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          const { message } = error as Error;
          expect(message.startsWith(`${name} must `)).toBe(true);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach a terminal
          expect(message).not.toMatch(/[\u0000-\u001f\u2028\u2029]/);
        }
      }),
      { numRuns: 2_000 },
    );
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
});
