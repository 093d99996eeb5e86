import pg from 'pg';
import { expect, it } from 'vitest';
import { isKnownRollback } from './transaction.ts';
import { DatabaseLostError } from './transient-errors.ts';

const refusal = (code: string, severity: string) =>
  Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code, severity });

it.each([
  ['a constraint', '23503', true],
  ['a serialisation failure', '40001', true],
  ['a deadlock', '40P01', true],
  ['a trigger', 'P0001', true],
  ['a lost server, as a pooler reports it', '08006', false],
  ['an unknown outcome', '40003', false],
  ['a session that is ended', '57P01', false],
  ['a transaction that is ended', '25P03', false],
  ['a disk that is full', '53100', false],
  ['a disk that is read-only', '42501', false],
  ['a disk that fails', '58030', false],
  ['a lost node, as Citus may report it', 'XX000', false],
])(
  'whether a COMMIT that fails with %s (%s) is known to be rolled back, in any language of the database server: %s',
  (_, code, isRolledBack) => {
    for (const severity of ['ERROR', 'FATAL', 'FEHLER', '错误'])
      expect(isKnownRollback(refusal(code, severity))).toBe(isRolledBack);
  },
);

it('a COMMIT whose connection is lost has an unknown outcome', () => {
  expect(isKnownRollback(new DatabaseLostError(new Error('Connection terminated')))).toBe(false);
});
