import type { Body, InternalOperations, SignInProvider } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import { requireOpenClass } from '../../access/targets.ts';
import type { Database, Queryable, Transaction } from '../../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { inTransaction, violatedUnique, violatesForeignKey } from '../../database/transaction.ts';
import { conflict, invalidValue, notFound } from '../../errors/app-error.ts';
import type { Finding, ProviderAdapter } from './adapters/adapter.ts';
import { isAllowedAddress } from './adapters/guarded-fetch.ts';
import { deleteProviderIdentities } from './identities.ts';
import { decryptProvider, type ProviderRow, secretContext } from './stored-providers.ts';

type NewProvider = Body<InternalOperations['createSignInProvider']>;
type ProviderChange = Body<InternalOperations['updateSignInProvider']>;

export interface ProviderServices {
  readonly db: Database;
  readonly sealing: Sealing;
  readonly adapters: Readonly<Record<SignInProvider['kind'], ProviderAdapter>>;
  readonly httpProvidersOnLoopback: boolean;
}

const toProvider = (row: ProviderRow, boundAccounts: number): SignInProvider => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  issuer: row.issuer,
  clientId: row.client_id,
  scopes: row.scopes,
  forAdministrators: row.for_administrators,
  forStudents: row.for_students,
  claim: row.claim,
  studentAttribute: row.student_attribute,
  createStudentsIn: row.create_students_in,
  enabled: row.enabled,
  boundAccounts,
  createdAt: row.created_at,
});

export async function listProviders(
  db: Database,
  { schoolId }: SchoolData,
  slice: Slice,
): Promise<ListResult<SignInProvider>> {
  const rows = db
    .selectFrom('sign_in_provider as p')
    .where('p.school_id', '=', schoolId)
    .selectAll('p')
    .select((is) =>
      is
        .selectFrom('sign_in_identity as i')
        .where('i.school_id', '=', schoolId)
        .whereRef('i.provider_id', '=', 'p.id')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('bound'),
    )
    .orderBy('p.id');
  const page = await readPage(rows, slice, 'p.id');
  return page.map((row) => toProvider(row, Number(row.bound)));
}

/** @throws AppError not_found (the class), invalid_value, conflict (the name) */
export async function createProvider(
  { db, sealing, httpProvidersOnLoopback }: ProviderServices,
  data: SchoolData,
  { name, issuer, clientId, clientSecret, ...given }: NewProvider,
  at: Date,
): Promise<SignInProvider> {
  const row = {
    school_id: data.schoolId,
    kind: 'oidc' as const,
    name,
    issuer,
    client_id: clientId,
    client_secret: sealing.seal(
      'client secrets',
      secretContext(data.schoolId, issuer, clientId),
      clientSecret,
    ),
    scopes: given.scopes ?? 'openid profile',
    for_administrators: given.forAdministrators ?? true,
    for_students: given.forStudents ?? true,
    claim: given.claim ?? 'preferred_username',
    student_attribute: given.studentAttribute ?? 'username',
    create_students_in: given.createStudentsIn ?? null,
    enabled: given.enabled ?? true,
    created_at: at,
  };
  await checkProvider(data, row, httpProvidersOnLoopback);
  const created = await translateViolations(name, () =>
    db.insertInto('sign_in_provider').values(row).returningAll().executeTakeFirstOrThrow(),
  );
  return toProvider(created, 0);
}

/**
 * Changes a provider. A new issuer or client unbinds all accounts, because its ids can mean other people, and requires
 * the secret again. @throws AppError not_found, invalid_value, conflict (the name, or no way to sign in would remain)
 */
export async function changeProvider(
  { db, sealing, httpProvidersOnLoopback }: ProviderServices,
  data: SchoolData,
  id: number,
  change: ProviderChange,
): Promise<SignInProvider> {
  const { schoolId } = data;
  return inTransaction(db, async (tx) => {
    await lockSchool(tx, schoolId);
    const before = await selectProvider(tx, schoolId, id).forUpdate().executeTakeFirst();
    if (!before) throw notFound('The sign-in provider');
    const issuer = change.issuer ?? before.issuer;
    const clientId = change.clientId ?? before.client_id;
    const isOther = issuer !== before.issuer || clientId !== before.client_id;
    if (isOther && change.clientSecret === undefined) {
      throw invalidValue('Another issuer or clientId needs its clientSecret too');
    }
    const row = {
      name: change.name ?? before.name,
      issuer,
      client_id: clientId,
      client_secret:
        change.clientSecret === undefined
          ? before.client_secret
          : sealing.seal('client secrets', secretContext(schoolId, issuer, clientId), change.clientSecret),
      scopes: change.scopes ?? before.scopes,
      for_administrators: change.forAdministrators ?? before.for_administrators,
      for_students: change.forStudents ?? before.for_students,
      claim: change.claim ?? before.claim,
      student_attribute: change.studentAttribute ?? before.student_attribute,
      create_students_in:
        change.createStudentsIn === undefined ? before.create_students_in : change.createStudentsIn,
      enabled: change.enabled ?? before.enabled,
    };
    await checkProvider(data.withConnection(tx), row, httpProvidersOnLoopback);
    const changed = await translateViolations(row.name, () =>
      tx
        .updateTable('sign_in_provider')
        .where('school_id', '=', schoolId)
        .where('id', '=', id)
        .set(row)
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
    if (isOther) await deleteProviderIdentities(tx, schoolId, id);
    await requireSignInMethod(tx, schoolId);
    return toProvider(changed, await countBoundAccounts(tx, schoolId, id));
  });
}

/** @throws AppError not_found, conflict (no way to sign in would remain) */
export async function deleteProvider(db: Database, { schoolId }: SchoolData, id: number) {
  return inTransaction(db, async (tx) => {
    await lockSchool(tx, schoolId);
    const deleted = await tx
      .deleteFrom('sign_in_provider')
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow(() => notFound('The sign-in provider'));
    await requireSignInMethod(tx, schoolId);
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
  { db, sealing, adapters }: ProviderServices,
  { schoolId }: SchoolData,
  id: number,
): Promise<{ finding: Finding; message: string }> {
  const row = await selectProvider(db, schoolId, id).executeTakeFirst();
  if (!row) throw notFound('The sign-in provider');
  const provider = decryptProvider(sealing, row);
  if (!provider) throw conflict('The client secret can no longer be decrypted; enter it again');
  const finding = await adapters[provider.kind].test(provider);
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
export async function changeLocalSignIn(
  db: Database,
  data: SchoolData,
  { administrators, students }: Body<InternalOperations['updateLocalSignIn']>,
) {
  return inTransaction(db, async (tx) => {
    await lockSchool(tx, data.schoolId);
    const before = await readLocalSignIn(tx, data);
    const after = {
      ...before,
      administrators: administrators ?? before.administrators,
      students: students ?? before.students,
    };
    await tx
      .updateTable('school')
      .where('id', '=', data.schoolId)
      .set({ local_sign_in_administrators: after.administrators, local_sign_in_students: after.students })
      .execute();
    await requireSignInMethod(tx, data.schoolId);
    return after;
  });
}

const selectProvider = (db: Queryable, schoolId: number, id: number) =>
  db.selectFrom('sign_in_provider').where('school_id', '=', schoolId).where('id', '=', id).selectAll();

/** Runs changes to a school's sign-in one after the other. */
async function lockSchool(tx: Transaction, schoolId: number): Promise<void> {
  await tx.selectFrom('school').where('id', '=', schoolId).select('id').forNoKeyUpdate().execute();
}

async function checkProvider(
  data: SchoolData,
  row: Pick<ProviderRow, 'issuer' | 'student_attribute' | 'create_students_in'>,
  httpOnLoopback: boolean,
): Promise<void> {
  if (!isAllowedAddress(row.issuer, httpOnLoopback))
    throw invalidValue('issuer must be an address with https');
  if (row.create_students_in === null) return;
  if (row.student_attribute !== 'username') {
    throw invalidValue('Students can be created only where they are found by their username');
  }
  await requireOpenClass(data, row.create_students_in);
}

/** Ensures that administrators and students each keep a way to sign in. @throws AppError conflict */
async function requireSignInMethod(tx: Transaction, schoolId: number): Promise<void> {
  const enabled = (whom: 'for_administrators' | 'for_students') =>
    tx
      .selectFrom('sign_in_provider')
      .where('school_id', '=', schoolId)
      .where('enabled', '=', true)
      .where(whom, '=', true)
      .select('id');
  const school = await tx
    .selectFrom('school')
    .where('id', '=', schoolId)
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

async function countBoundAccounts(tx: Transaction, schoolId: number, id: number): Promise<number> {
  const { n } = await tx
    .selectFrom('sign_in_identity')
    .where('school_id', '=', schoolId)
    .where('provider_id', '=', id)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

async function translateViolations<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violatesForeignKey(error)) throw notFound('The class or the school');
    if (violatedUnique(error) === null) throw error;
    throw conflict(`The name ${JSON.stringify(name)} is taken`);
  }
}
