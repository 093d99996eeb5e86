import {
  type AuditRecord,
  type Data,
  type ExternalOperation,
  externalOperations,
  type InternalOperations,
  type Kind,
  type Permission,
  permissionNames,
} from '@classledger/contract';
import {
  type CallRequirements,
  type CredentialRights,
  permissionsText,
  refusalOf,
} from '../../access/admission.ts';
import {
  accessTokenExpired,
  type Credential,
  credentialDisabled,
  credentialExpired,
  credentialUnknown,
  issuerUnable,
  statusOf,
} from '../../access/credential.ts';
import {
  filterRequirements,
  requirementsOf,
  rosterOperations,
  rosterServicePath,
} from '../../access/roster-operations.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireClass, requireGrade, requireStudent, requireTemplate } from '../../access/targets.ts';
import { AppError, outOfRange, schoolGone } from '../../app-error.ts';

type Explained = Data<InternalOperations['explainCall']>;
type Cause = Explained['cause'];

const operations: readonly ExternalOperation[] = Object.values(externalOperations);
const prefix = '/api/v1';

/** The called operation, of the external API or the roster service. */
interface Called {
  readonly id: string;
  /** In the order in which the API checks them. */
  readonly needed: readonly CallRequirements[];
}

interface Named {
  readonly kind: Kind;
  readonly id: number;
}

/** The credential behind a call, in its current state. */
export interface Caller {
  readonly credential: Credential;
  readonly revoked: boolean;
  readonly data: SchoolData;
}

/**
 * Explains why a logged call was refused and whether it still would be. The log keeps only status and message, so this
 * looks for the error that has the same message today.
 * @param caller null when the call named no known credential
 * @param own data in the range of the person who asks; the answer reveals nothing beyond it
 */
export async function explainRefusal(
  record: Pick<AuditRecord, 'method' | 'path' | 'statusCode' | 'errorMessage'>,
  caller: Caller | null,
  own: SchoolData,
  now: Date,
): Promise<Explained> {
  const { operation, named } = whatWasCalled(record);
  const cause = causeOf(record, operation, caller?.credential ?? null);
  const lacked = operation?.needed.filter((one) => refusesWith(one, record)) ?? [];
  const permissions = new Set((lacked.length > 0 ? lacked : (operation?.needed ?? [])).map(permissionsText));
  const where = named && caller ? await whereIs(named, caller.data, own) : 'unknown';
  const status = caller === null ? 'unknown' : caller.revoked ? 'revoked' : statusOf(caller.credential, now);
  return {
    cause,
    operation: operation?.id ?? null,
    permission: [...permissions].filter((one) => one !== null).join(', ') || null,
    scopeTypes: [...(operation?.needed[0]?.scopeTypes ?? [])],
    target: named?.kind ?? null,
    targetId: named?.id ?? null,
    where,
    status,
    resolved: status === 'enabled' && isResolved(cause, operation, caller as Caller, where),
  };
}

const nobody: CredentialRights = { permissions: new Set(), scopeType: 'school' };

/** Returns whether the message refuses exactly this requirement. */
const refusesWith = (one: CallRequirements, { errorMessage }: Pick<AuditRecord, 'errorMessage'>) =>
  refusalOf(one, nobody)?.error.message === errorMessage;

function whatWasCalled(record: Pick<AuditRecord, 'method' | 'path' | 'errorMessage'>): {
  readonly operation: Called | null;
  readonly named: Named | null;
} {
  const { method, path } = record;
  const asked = method === 'HEAD' ? 'GET' : method;
  for (const operation of operations) {
    if (operation.method !== asked) continue;
    const form = new RegExp(`^${prefix}${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`);
    const match = form.exec(path);
    if (match) {
      const called = { id: operation.id, needed: [operation] };
      return { operation: called, named: namedIn(operation, match.groups ?? {}) };
    }
  }
  for (const operation of asked === 'GET' ? rosterOperations : []) {
    const form = new RegExp(`^${rosterServicePath}${operation.path.replace(/:\w+/g, '[^/]+')}/?$`);
    if (!form.test(path)) continue;
    // The log keeps no query, so only the refusal shows which permission a filter needed.
    const byFilter = filterRequirements().filter((one) => refusesWith(one, record));
    return {
      operation: { id: operation.id, needed: [...requirementsOf(operation), ...byFilter] },
      named: null,
    };
  }
  return { operation: null, named: null };
}

function namedIn({ target = {} }: ExternalOperation, params: Readonly<Record<string, string>>): Named | null {
  for (const [kind, place] of Object.entries(target)) {
    const id = Number(params[place.replace('path.', '')]);
    if (place.startsWith('path.') && Number.isSafeInteger(id) && id > 0) return { kind: kind as Kind, id };
  }
  return null;
}

const byStatus: Readonly<Record<number, Cause>> = {
  400: 'badRequest',
  404: 'notFound',
  409: 'conflict',
  410: 'tooOld',
  413: 'tooLarge',
  429: 'rateLimited',
  503: 'unavailable',
};

function causeOf(
  { statusCode, errorMessage }: Pick<AuditRecord, 'statusCode' | 'errorMessage'>,
  operation: Called | null,
  credential: Credential | null,
): Cause {
  const says = (error: AppError | undefined) => error?.message === errorMessage;
  if (statusCode < 400) return 'none';
  if (statusCode === 401) {
    if (credential === null) return says(credentialUnknown()) ? 'tokenUnknown' : 'tokenMissing';
    if (says(credentialDisabled())) return 'tokenDisabled';
    if (says(issuerUnable())) return 'issuerUnable';
    if (says(accessTokenExpired())) return 'accessTokenExpired';
    return errorMessage?.startsWith(credentialExpired('').message) ? 'tokenExpired' : 'unknown';
  }
  if (statusCode === 403) {
    if (says(schoolGone())) return 'schoolDisabled';
    const scopeType = credential?.scopeType ?? 'school';
    for (const permissions of [[], permissionNames]) {
      for (const one of operation?.needed ?? []) {
        const refusal = refusalOf(one, { permissions: new Set<Permission>(permissions), scopeType });
        if (refusal && says(refusal.error)) return refusal.missing;
      }
    }
    return errorMessage?.endsWith(outOfRange('').message) ? 'outOfRange' : 'unknown';
  }
  if (statusCode === 404 && operation === null) return 'unknownPath';
  return byStatus[statusCode] ?? (statusCode >= 500 ? 'internal' : 'badRequest');
}

function isResolved(
  cause: Cause,
  operation: Called | null,
  { credential }: { readonly credential: CredentialRights },
  where: Explained['where'],
): boolean {
  if (cause === 'outOfRange' || cause === 'notFound') return where === 'inside';
  if (cause === 'permission' || cause === 'scopeType') {
    return operation?.needed.every((one) => refusalOf(one, credential) === null) ?? false;
  }
  // For these causes, a usable credential suffices.
  return ['tokenDisabled', 'tokenExpired', 'schoolDisabled', 'issuerUnable'].includes(cause);
}

const lookUp: Readonly<Partial<Record<Kind, (data: SchoolData, id: number) => Promise<unknown>>>> = {
  student: requireStudent,
  class: requireClass,
  grade: requireGrade,
  template: requireTemplate,
};

async function whereIs({ kind, id }: Named, callers: SchoolData, own: SchoolData) {
  const isIn = async (data: SchoolData) => {
    try {
      return (await lookUp[kind]?.(data, id)) !== undefined;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  if (await isIn(callers)) return 'inside';
  return (await isIn(own)) ? 'outside' : 'unknown';
}
