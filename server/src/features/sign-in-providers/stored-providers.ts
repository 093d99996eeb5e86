import { SignInProvider } from '@classledger/contract';
import type { Sealing } from '../../access/sealing.ts';
import type { Queryable } from '../../database/connect.ts';
import { columnsOf } from '../../fields/fields.ts';

export const providerColumns = [
  ...columnsOf('sign_in_provider', SignInProvider, ['boundAccounts']),
  'sign_in_provider.school_id as schoolId',
  'sign_in_provider.client_secret as sealedSecret',
] as const;

export interface ProviderRow extends Omit<SignInProvider, 'boundAccounts'> {
  readonly schoolId: number;
  readonly sealedSecret: Buffer;
}

export interface StoredProvider extends ProviderRow {
  readonly clientSecret: string;
}

type SecretOwner = Pick<ProviderRow, 'schoolId' | 'issuer' | 'clientId'>;

/** Binds a sealed secret to its issuer and client, so a changed address in the table cannot redirect the secret. */
const secretContext = ({ schoolId, issuer, clientId }: SecretOwner) =>
  JSON.stringify([schoolId, issuer, clientId]);

export const sealSecret = (sealing: Sealing, owner: SecretOwner, secret: string): Buffer =>
  sealing.seal('client secrets', secretContext(owner), secret);

/** Returns null when the secret cannot be unsealed. */
export function decryptProvider(sealing: Sealing, row: ProviderRow): StoredProvider | null {
  const clientSecret = sealing.unseal('client secrets', secretContext(row), row.sealedSecret);
  return clientSecret === null ? null : { ...row, clientSecret };
}

export const selectUsableProvider = (db: Queryable, schoolId: number, id: number) =>
  db
    .selectFrom('sign_in_provider')
    .innerJoin('school', 'school.id', 'sign_in_provider.school_id')
    .where('sign_in_provider.school_id', '=', schoolId)
    .where('sign_in_provider.id', '=', id)
    .where('sign_in_provider.enabled', '=', true)
    .where('school.disabled', '=', false)
    .select(providerColumns)
    .executeTakeFirst();
