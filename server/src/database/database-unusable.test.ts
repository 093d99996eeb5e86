import { expect, it } from 'vitest';
import { DatabaseUnusableError, toDatabaseUnusable } from './database-unusable.ts';
import { DatabaseLostError } from './transient-errors.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('DatabaseUnusableError advises how to trust the certificate: %s', (code) => {
  const error = toDatabaseUnusable(new DatabaseLostError(withCode('the reason', code)));
  expect(error).toBeInstanceOf(DatabaseUnusableError);
  expect((error as Error).message).toMatch(/certificate .* not trusted \(the reason\): add sslrootcert=FILE/);
});

it('DatabaseUnusableError names max_locks_per_transaction when PostgreSQL has no more locks', () => {
  const error = toDatabaseUnusable(withCode('out of shared memory', '53200'));
  expect((error as Error).message).toMatch(
    /out of shared memory\): raise its setting max_locks_per_transaction/,
  );
});

it.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'timeout expired',
])('DatabaseUnusableError reports that the database cannot be reached: %s', (message) => {
  expect((toDatabaseUnusable(new Error(message)) as Error).message).toBe(
    `The database cannot be reached: ${message}`,
  );
  const ours = new Error(`Something of ours: ${message}`);
  expect(toDatabaseUnusable(ours)).toBe(ours);
});

it('DatabaseUnusableError is not wrapped a second time', () => {
  const once = toDatabaseUnusable(new DatabaseLostError(new Error('too many connections')));
  expect(toDatabaseUnusable(once)).toBe(once);
  expect((once as Error).message).toBe('The database cannot be reached: too many connections');
});
