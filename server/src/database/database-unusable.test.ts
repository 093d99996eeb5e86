import { describe, expect, it } from 'vitest';
import { asUnusable, DatabaseUnusableError } from './database-unusable.ts';
import { DatabaseLostError } from './trouble.ts';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('what an operator can mend about a database', () => {
  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('is told how to have its certificate trusted: %s', (code) => {
    const error = asUnusable(new DatabaseLostError(withCode('the reason', code)));
    expect(error).toBeInstanceOf(DatabaseUnusableError);
    expect((error as Error).message).toMatch(
      /certificate .* not trusted \(the reason\): add sslrootcert=FILE/,
    );
  });

  it('is told which setting gives room for locks', () => {
    const error = asUnusable(withCode('out of shared memory', '53200'));
    expect((error as Error).message).toMatch(
      /out of shared memory\): raise its setting max_locks_per_transaction/,
    );
  });

  it('is told once', () => {
    const once = asUnusable(new DatabaseLostError(new Error('too many connections')));
    expect(asUnusable(once)).toBe(once);
    expect((once as Error).message).toBe('The database cannot be reached: too many connections');
  });
});
