import { type Data, type InternalOperations, SignInProvider } from '@classledger/contract';
import type { Sealing } from '../../access/sealing.ts';
import type { Database, Queryable } from '../../database/connect.ts';
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

type Choices = Data<InternalOperations['listSignInChoices']>;

const none: Choices = { providers: [], askForSchool: false, localSignIn: true };

/** Returns only the buttons' data, because school codes can be guessed. @param schoolId null: none named; 0: unknown */
export async function listSignInChoices(
  db: Database,
  audience: 'administrators' | 'students',
  schoolId: number | null,
): Promise<Choices> {
  const students = audience === 'students';
  let found = db
    .selectFrom('sign_in_provider as p')
    .innerJoin('school', 'school.id', 'p.school_id')
    .where('p.enabled', '=', true)
    .where('school.disabled', '=', false)
    .where(students ? 'p.for_students' : 'p.for_administrators', '=', true);
  if (schoolId === null) {
    const schools = await found.select('p.school_id as id').distinct().limit(2).execute();
    const [only] = schools;
    if (!only) return none;
    if (schools.length > 1) return { ...none, askForSchool: true };
    found = found.where('p.school_id', '=', only.id);
  } else {
    found = found.where('p.school_id', '=', schoolId);
  }
  const rows = await found
    .select(['p.id', 'p.name', 'school.id as schoolId'])
    .select(
      students ? 'school.local_sign_in_students as local' : 'school.local_sign_in_administrators as local',
    )
    .orderBy('p.id')
    .execute();
  return {
    providers: rows.map(({ id, name, schoolId: school }) => ({ id, name, schoolDb: `school_${school}` })),
    askForSchool: false,
    localSignIn: rows[0]?.local ?? true,
  };
}
