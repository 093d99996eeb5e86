import type { Body, InternalOperations, SignInProvider } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import { requireOpenClass } from '../../access/targets.ts';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { translateViolations } from '../../database/transaction.ts';
import { conflict, invalidValue, notFound } from '../../errors/app-error.ts';
import { deleteProviderIdentities } from './identities.ts';
import type { Finding, OpenIdConnect } from './oidc.ts';
import { decryptProvider, type ProviderRow, providerColumns, sealSecret } from './stored-providers.ts';

export interface ProviderServices {
  readonly sealing: Sealing;
  readonly openIdConnect: OpenIdConnect;
}

const toProvider = ({ schoolId: _, sealedSecret: __, ...row }: ProviderRow, boundAccounts: number) => ({
  ...row,
  boundAccounts,
});

const boundAccountsOf = (data: SchoolData) =>
  data.selectFrom('sign_in_identity').select(({ fn }) => fn.countAll<number>().as('n'));

export async function listProviders(data: SchoolData, slice: Slice): Promise<ListResult<SignInProvider>> {
  const bound = boundAccountsOf(data).where('provider_id', '=', sql.ref<number>('sign_in_provider.id'));
  const rows = data
    .selectFrom('sign_in_provider')
    .select([...providerColumns, bound.$asScalar().as('bound')])
    .orderBy('sign_in_provider.id');
  const page = await readPage(rows, slice, 'sign_in_provider.id');
  return page.map(({ bound: n, ...row }) => toProvider(row, Number(n)));
}

const defaults = {
  scopes: 'openid profile',
  forAdministrators: true,
  forStudents: true,
  claim: 'preferred_username',
  studentAttribute: 'username',
  createStudentsIn: null,
  enabled: true,
} as const;

type Settings = Omit<ProviderRow, 'id' | 'schoolId' | 'kind' | 'createdAt'>;

const toColumns = (settings: Settings) => ({
  name: settings.name,
  issuer: settings.issuer,
  client_id: settings.clientId,
  client_secret: settings.sealedSecret,
  scopes: settings.scopes,
  for_administrators: settings.forAdministrators,
  for_students: settings.forStudents,
  claim: settings.claim,
  student_attribute: settings.studentAttribute,
  create_students_in: settings.createStudentsIn,
  enabled: settings.enabled,
});

/** @throws AppError not_found (the class), invalid_value, conflict (the name) */
export async function createProvider(
  { sealing, openIdConnect }: ProviderServices,
  data: SchoolData,
  { clientSecret, ...given }: Body<InternalOperations['createSignInProvider']>,
  at: Date,
): Promise<SignInProvider> {
  const { schoolId } = data;
  const sealedSecret = sealSecret(sealing, { ...given, schoolId }, clientSecret);
  const settings = { ...defaults, ...given, sealedSecret };
  await checkProvider(data, settings, openIdConnect);
  const created = await storeNamed(
    settings.name,
    data
      .insertInto('sign_in_provider')
      .values({ ...toColumns(settings), school_id: schoolId, kind: 'oidc', created_at: at })
      .returning(providerColumns)
      .executeTakeFirstOrThrow(),
  );
  return toProvider(created, 0);
}

/**
 * Changes a provider. A new issuer or client unbinds all accounts, because its ids can mean other people, and requires
 * the secret again. @throws AppError not_found, invalid_value, conflict (the name, or no way to sign in would remain)
 */
export async function changeProvider(
  { sealing, openIdConnect }: ProviderServices,
  data: SchoolData,
  id: number,
  { clientSecret, ...change }: Body<InternalOperations['updateSignInProvider']>,
): Promise<SignInProvider> {
  return data.transaction(async (own, tx) => {
    await own.lockSchool();
    const before = await selectProvider(own, id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound('The sign-in provider'));
    const after = { ...before, ...change };
    const isOther = after.issuer !== before.issuer || after.clientId !== before.clientId;
    if (isOther && clientSecret === undefined) {
      throw invalidValue('Another issuer or clientId needs its clientSecret too');
    }
    if (clientSecret !== undefined) after.sealedSecret = sealSecret(sealing, after, clientSecret);
    await checkProvider(own, after, openIdConnect);
    const changed = await storeNamed(
      after.name,
      own
        .updateTable('sign_in_provider')
        .where('id', '=', id)
        .set(toColumns(after))
        .returning(providerColumns)
        .executeTakeFirstOrThrow(),
    );
    if (isOther) await deleteProviderIdentities(own, tx, id);
    await requireSignInMethod(own, tx);
    const { n } = await boundAccountsOf(own).where('provider_id', '=', id).executeTakeFirstOrThrow();
    return toProvider(changed, n);
  });
}

/** @throws AppError not_found, conflict (no way to sign in would remain) */
export function deleteProvider(data: SchoolData, id: number) {
  return data.transaction(async (own, tx) => {
    await own.lockSchool();
    const deleted = await own
      .deleteFrom('sign_in_provider')
      .where('id', '=', id)
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow(() => notFound('The sign-in provider'));
    await requireSignInMethod(own, tx);
    return deleted;
  });
}

const findingMessages: Readonly<Record<Finding, string>> = {
  ok: 'The provider answers and knows this installation.',
  unreachable: 'The provider does not answer.',
  noDiscovery: 'Nothing at this address describes an OpenID Connect provider.',
  otherIssuer: 'The provider calls itself by another address; enter that one as the issuer.',
  insecureAddress: 'The provider has an address without https, or one that is not called.',
  noCodeFlow: 'The provider does not offer the authorization code flow.',
  noProofKey: 'The provider does not offer PKCE with S256.',
  noSignature: 'The provider signs ID tokens with no key of its own; choose RS256 or ES256 there.',
  keysMissing: 'The keys of the provider cannot be read.',
  clientRejected: 'The provider does not accept the client id with this secret.',
};

/** @throws AppError not_found; conflict (the client secret cannot be unsealed) */
export async function testProvider(
  { sealing, openIdConnect }: ProviderServices,
  data: SchoolData,
  id: number,
): Promise<{ finding: Finding; message: string }> {
  const row = await selectProvider(data, id).executeTakeFirstOrThrow(() => notFound('The sign-in provider'));
  const provider = decryptProvider(sealing, row);
  if (!provider) throw conflict('The client secret can no longer be decrypted; enter it again');
  const finding = await openIdConnect.test(provider);
  return { finding, message: findingMessages[finding] };
}

/** Reads whether people of the school can sign in without a provider. */
export async function readLocalSignIn(db: Queryable, { schoolId }: SchoolData) {
  return db
    .selectFrom('school')
    .where('id', '=', schoolId)
    .select([
      'id',
      'name',
      'local_sign_in_administrators as administrators',
      'local_sign_in_students as students',
    ])
    .executeTakeFirstOrThrow(() => notFound('The school'));
}

/** @throws AppError not_found; conflict (no enabled provider would remain) */
export function changeLocalSignIn(data: SchoolData, change: Body<InternalOperations['updateLocalSignIn']>) {
  return data.transaction(async (own, tx) => {
    await own.lockSchool();
    const after = { ...(await readLocalSignIn(tx, data)), ...change };
    await tx
      .updateTable('school')
      .where('id', '=', data.schoolId)
      .set({ local_sign_in_administrators: after.administrators, local_sign_in_students: after.students })
      .execute();
    await requireSignInMethod(own, tx);
    return after;
  });
}

const selectProvider = (data: SchoolData, id: number) =>
  data.selectFrom('sign_in_provider').where('id', '=', id).select(providerColumns);

async function checkProvider(
  data: SchoolData,
  { issuer, studentAttribute, createStudentsIn }: Settings,
  openIdConnect: OpenIdConnect,
): Promise<void> {
  if (!openIdConnect.isAllowed(issuer)) throw invalidValue('issuer must be an address with https');
  if (createStudentsIn === null) return;
  if (studentAttribute !== 'username') {
    throw invalidValue('Students can be created only where they are found by their username');
  }
  await requireOpenClass(data, createStudentsIn);
}

/** Ensures that administrators and students each keep a way to sign in. @throws AppError conflict */
async function requireSignInMethod(own: SchoolData, tx: Transaction): Promise<void> {
  const enabled = (whom: 'for_administrators' | 'for_students') =>
    own.selectFrom('sign_in_provider').where('enabled', '=', true).where(whom, '=', true).select('id');
  const school = await tx
    .selectFrom('school')
    .where('id', '=', own.schoolId)
    .select(({ or, exists, ref }) => [
      or([ref('local_sign_in_administrators'), exists(enabled('for_administrators'))]).as('administrators'),
      or([ref('local_sign_in_students'), exists(enabled('for_students'))]).as('students'),
    ])
    .executeTakeFirst();
  if (!school || (school.administrators && school.students)) return;
  const whom = school.administrators ? 'students' : 'administrators';
  throw conflict(
    `Local sign-in of ${whom} is off and no enabled provider would be left for them; switch it on, or enable a provider first`,
  );
}

/** @throws AppError not_found, conflict (the name) */
const storeNamed = <T>(name: string, write: Promise<T>) =>
  translateViolations(
    write,
    notFound('The class or the school'),
    conflict(`The name ${JSON.stringify(name)} is taken`),
  );
