import {
  type Data,
  type ExternalOperation,
  type ExternalOperationId,
  externalOperations,
  type InternalOperations,
  type Permission,
  permissionNames,
  type Query,
  type SimulatedOperation,
} from '@classledger/contract';
import { type Credential, selectCredentials, toCredentials } from '../../access/credential.ts';
import { scopeTypeOf } from '../../access/range.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';
import { AppError, invalidValue, notFound } from '../../errors/app-error.ts';
import { operationsInChinese } from '../documentation/chinese/operations.ts';
import { type CredentialServices, resolveScope } from './credentials.ts';
import { describeRange, explainOperation, readStructureInRange } from './explanation.ts';

type Simulation = Data<InternalOperations['simulateCredential']>;

/** Runs a read outside of rate limits and the call log. @returns the answer's data as JSON, shortened */
export type RunRead = (
  id: ExternalOperationId,
  params: Readonly<Record<string, number>>,
  as: { readonly credential: Credential; readonly data: SchoolData; readonly at: Date },
) => Promise<string>;

/** Builds a credential that is not stored and has the id 0. @throws AppError as `issueCredential` */
export async function buildSimulatedCredential(
  { db, settings }: CredentialServices,
  { admin, data, at }: { readonly admin: Admin; readonly data: SchoolData; readonly at: Date },
  query: Query<InternalOperations['simulateCredential']>,
): Promise<Credential> {
  const scopes = [...new Set((query.scopes ?? '').split(',').filter((name) => name !== ''))];
  const unknown = scopes.find((name) => !permissionNames.includes(name as Permission));
  if (unknown !== undefined) throw invalidValue('scopes contains an unknown permission');
  const range = await resolveScope(data, query);
  const school = await db
    .selectFrom('school')
    .where('id', '=', data.schoolId)
    .select(['id', 'name', 'time_zone'])
    .executeTakeFirst();
  return {
    id: 0,
    name: '…',
    prefix: `${settings.tokenPrefix}_…`,
    scopeType: scopeTypeOf(range),
    range,
    issuerId: admin.id,
    permissions: new Set(scopes as Permission[]),
    scopes: scopes as Permission[],
    expiresAt: null,
    createdAt: at.toISOString(),
    school: school ? { id: school.id, name: school.name } : null,
    timeZone: school?.time_zone ?? 'UTC',
    disabled: false,
    schoolDisabled: false,
    issuerUnable: false,
  };
}

/** @throws AppError not_found */
export async function readIssuedCredential(db: Database, id: number): Promise<Credential> {
  const row = await selectCredentials(db)
    .where('k.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('The credential'));
  const [credential] = await toCredentials(db, [row]);
  return credential as Credential;
}

/** Runs allowed reads through their handlers, but does not write, count or log anything. */
export async function simulate(
  db: Database,
  credential: Credential,
  at: Date,
  runRead: RunRead,
): Promise<Simulation> {
  const data = new SchoolData(db, credential.range, credential.timeZone);
  const grades = await readStructureInRange(data);
  const operations: SimulatedOperation[] = [];
  // Runs one operation at a time, so that other requests still get database connections.
  for (const operation of Object.values(externalOperations) as ExternalOperation[]) {
    const explained = explainOperation(operation, credential);
    const { tag, summary } = operation;
    const texts = {
      ...{ tag, tagInChinese: operationsInChinese[tag] ?? tag },
      ...{ summary, summaryInChinese: operationsInChinese[summary] ?? summary },
    };
    const answer = explained.allowed ? await readSample(operation, credential, data, at, runRead) : null;
    operations.push({
      ...explained,
      ...texts,
      sample: answer?.sample ?? null,
      real: answer?.isReal ?? false,
    });
  }
  return { range: describeRange(credential, grades), grades, operations };
}

/** Returns a real answer for a read with an existing target, otherwise the contract's example. */
async function readSample(
  operation: ExternalOperation,
  credential: Credential,
  data: SchoolData,
  at: Date,
  runRead: RunRead,
): Promise<{ sample: string; isReal: boolean }> {
  const params = operation.method === 'GET' ? await findSampleParams(operation, data) : null;
  if (params) {
    try {
      const sample = await runRead(operation.id as ExternalOperationId, params, { credential, data, at });
      return { sample, isReal: true };
    } catch (error) {
      // Uses the example instead, for example when the target was deleted a moment ago.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return { sample: JSON.stringify(operation.examples.data), isReal: false };
}

async function findSampleParams({ target = {} }: ExternalOperation, data: SchoolData) {
  const params: Record<string, number> = {};
  for (const [kind, place] of Object.entries(target)) {
    const [source, name] = place.split('.') as [string, string];
    if (source !== 'path') continue;
    const found = await findFirst[kind]?.(data);
    if (!found) return null;
    params[name] = found.id;
  }
  return params;
}

const findFirst: Readonly<Record<string, (data: SchoolData) => Promise<{ id: number } | undefined>>> = {
  student: (data) => data.students().select('s.id').orderBy('s.id').limit(1).executeTakeFirst(),
  class: (data) => data.classesUnjoined().select('c.id').orderBy('c.id').limit(1).executeTakeFirst(),
  term: (data) => data.terms().select('m.id').orderBy('m.id').limit(1).executeTakeFirst(),
};
