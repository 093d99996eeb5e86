import type { SignInProvider } from '@classledger/contract';
import type { Selectable } from 'kysely';
import type { Sealing } from '../../access/sealing.ts';
import type { Queryable } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import type { Provider } from './adapters/adapter.ts';

export interface StoredProvider extends Provider {
  readonly schoolId: number;
  readonly forAdministrators: boolean;
  readonly forStudents: boolean;
  readonly claim: string;
  readonly studentAttribute: SignInProvider['studentAttribute'];
  readonly createStudentsIn: number | null;
  readonly enabled: boolean;
}

export type ProviderRow = Selectable<Tables['sign_in_provider']>;

/** Binds a sealed secret to its issuer and client, so a changed address in the table cannot redirect the secret. */
export const secretContext = (schoolId: number, issuer: string, clientId: string) =>
  JSON.stringify([schoolId, issuer, clientId]);

/** Returns null when the secret cannot be unsealed. */
export function decryptProvider(sealing: Sealing, row: ProviderRow): StoredProvider | null {
  const context = secretContext(row.school_id, row.issuer, row.client_id);
  const clientSecret = sealing.unseal('client secrets', context, row.client_secret);
  if (clientSecret === null) return null;
  return {
    schoolId: row.school_id,
    id: row.id,
    kind: row.kind,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret,
    scopes: row.scopes,
    forAdministrators: row.for_administrators,
    forStudents: row.for_students,
    claim: row.claim,
    studentAttribute: row.student_attribute,
    createStudentsIn: row.create_students_in,
    enabled: row.enabled,
  };
}

export function selectUsableProvider(db: Queryable, schoolId: number, id: number) {
  return db
    .selectFrom('sign_in_provider as p')
    .innerJoin('school', 'school.id', 'p.school_id')
    .where('p.school_id', '=', schoolId)
    .where('p.id', '=', id)
    .where('p.enabled', '=', true)
    .where('school.disabled', '=', false)
    .selectAll('p')
    .executeTakeFirst();
}
