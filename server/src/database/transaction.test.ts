import pg from 'pg';
import { expect, it } from 'vitest';
import { isKnownRollback } from './transaction.ts';
import { DatabaseLostError } from './transient-errors.ts';

const refusal = (code: string, severity: string) =>
  Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code, severity });

it.each([
  ['a constraint', '23503'],
  ['a serialisation failure', '40001'],
  ['a deadlock', '40P01'],
  ['a trigger', 'P0001'],
])('a COMMIT that fails with %s counts as rolled back, in any language of the database server', (_, code) => {
  for (const severity of ['ERROR', 'FEHLER', '错误'])
    expect(isKnownRollback(refusal(code, severity))).toBe(true);
});

it.each([
  ['a lost server, as a pooler reports it', '08006'],
  ['an unknown outcome', '40003'],
  ['a session that is ended', '57P01'],
  ['a transaction that is ended', '25P03'],
  ['a disk that is full', '53100'],
  ['a disk that is read-only', '42501'],
  ['a disk that fails', '58030'],
  ['a lost node, as Citus may report it', 'XX000'],
])('a COMMIT that fails with %s has an unknown outcome', (_, code) => {
  for (const severity of ['ERROR', 'FATAL']) expect(isKnownRollback(refusal(code, severity))).toBe(false);
});

it('a COMMIT whose connection is lost has an unknown outcome', () => {
  expect(isKnownRollback(new DatabaseLostError(new Error('Connection terminated')))).toBe(false);
});
