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
import { AppError, outOfRange, schoolGone } from '../../errors/app-error.ts';

type CallExplanation = Data<InternalOperations['explainCall']>;
type Cause = CallExplanation['cause'];

const operations: readonly ExternalOperation[] = Object.values(externalOperations);
const prefix = '/api/v1';

/** Belongs to the external API or the roster service. */
interface CalledOperation {
  readonly id: string;
  /** In the order in which the API checks them. */
  readonly requirements: readonly CallRequirements[];
}

interface CallTarget {
  readonly kind: Kind;
  readonly id: number;
}

export interface Caller {
  readonly credential: Credential;
  readonly revoked: boolean;
  readonly data: SchoolData;
}

/**
 * Finds the error that has the logged message today, because the log keeps only status and message.
 * @param caller null: no known credential. @param ownData bounds the answer to the range of the person who asks
 */
export async function explainRefusal(
  record: Pick<AuditRecord, 'method' | 'path' | 'statusCode' | 'errorMessage'>,
  caller: Caller | null,
  ownData: SchoolData,
  now: Date,
): Promise<CallExplanation> {
  const { operation, target } = findCalledOperation(record);
  const cause = findCause(record, operation, caller?.credential ?? null);
  const refusing = operation?.requirements.filter((one) => isRefusedBy(one, record)) ?? [];
  const permissions = new Set(
    (refusing.length > 0 ? refusing : (operation?.requirements ?? [])).map(permissionsText),
  );
  const where = target && caller ? await locateTarget(target, caller.data, ownData) : 'unknown';
  const status = caller === null ? 'unknown' : caller.revoked ? 'revoked' : statusOf(caller.credential, now);
  return {
    cause,
    operation: operation?.id ?? null,
    permission: [...permissions].filter((one) => one !== null).join(', ') || null,
    scopeTypes: [...(operation?.requirements[0]?.scopeTypes ?? [])],
    target: target?.kind ?? null,
    targetId: target?.id ?? null,
    where,
    status,
    resolved: status === 'enabled' && isResolved(cause, operation, caller as Caller, where),
  };
}

const noRights: CredentialRights = { permissions: new Set(), scopeType: 'school' };

const isRefusedBy = (requirement: CallRequirements, { errorMessage }: Pick<AuditRecord, 'errorMessage'>) =>
  refusalOf(requirement, noRights)?.error.message === errorMessage;

function findCalledOperation(record: Pick<AuditRecord, 'method' | 'path' | 'errorMessage'>): {
  readonly operation: CalledOperation | null;
  readonly target: CallTarget | null;
} {
  const { method, path } = record;
  const calledMethod = method === 'HEAD' ? 'GET' : method;
  for (const operation of operations) {
    if (operation.method !== calledMethod) continue;
    const pattern = new RegExp(`^${prefix}${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`);
    const match = pattern.exec(path);
    if (match) {
      const called = { id: operation.id, requirements: [operation] };
      return { operation: called, target: findTargetInPath(operation, match.groups ?? {}) };
    }
  }
  for (const operation of calledMethod === 'GET' ? rosterOperations : []) {
    const pattern = new RegExp(`^${rosterServicePath}${operation.path.replace(/:\w+/g, '[^/]+')}/?$`);
    if (!pattern.test(path)) continue;
    // The log keeps no query, so only the refusal shows which permission a filter needed.
    const byFilter = filterRequirements().filter((one) => isRefusedBy(one, record));
    return {
      operation: { id: operation.id, requirements: [...requirementsOf(operation), ...byFilter] },
      target: null,
    };
  }
  return { operation: null, target: null };
}

function findTargetInPath(
  { target = {} }: ExternalOperation,
  params: Readonly<Record<string, string>>,
): CallTarget | null {
  for (const [kind, place] of Object.entries(target)) {
    const id = Number(params[place.replace('path.', '')]);
    if (place.startsWith('path.') && Number.isSafeInteger(id) && id > 0) return { kind: kind as Kind, id };
  }
  return null;
}

const causeByStatus: Readonly<Record<number, Cause>> = {
  400: 'badRequest',
  404: 'notFound',
  409: 'conflict',
  410: 'tooOld',
  413: 'tooLarge',
  429: 'rateLimited',
  503: 'unavailable',
};

function findCause(
  { statusCode, errorMessage }: Pick<AuditRecord, 'statusCode' | 'errorMessage'>,
  operation: CalledOperation | null,
  credential: Credential | null,
): Cause {
  const hasMessageOf = (error: AppError | undefined) => error?.message === errorMessage;
  if (statusCode < 400) return 'none';
  if (statusCode === 401) {
    if (credential === null) return hasMessageOf(credentialUnknown()) ? 'tokenUnknown' : 'tokenMissing';
    if (hasMessageOf(credentialDisabled())) return 'tokenDisabled';
    if (hasMessageOf(issuerUnable())) return 'issuerUnable';
    if (hasMessageOf(accessTokenExpired())) return 'accessTokenExpired';
    return errorMessage?.startsWith(credentialExpired('').message) ? 'tokenExpired' : 'unknown';
  }
  if (statusCode === 403) {
    if (hasMessageOf(schoolGone())) return 'schoolDisabled';
    const scopeType = credential?.scopeType ?? 'school';
    for (const permissions of [[], permissionNames]) {
      for (const one of operation?.requirements ?? []) {
        const refusal = refusalOf(one, { permissions: new Set<Permission>(permissions), scopeType });
        if (refusal && hasMessageOf(refusal.error)) return refusal.missing;
      }
    }
    return errorMessage?.endsWith(outOfRange('').message) ? 'outOfRange' : 'unknown';
  }
  if (statusCode === 404 && operation === null) return 'unknownPath';
  return causeByStatus[statusCode] ?? (statusCode >= 500 ? 'internal' : 'badRequest');
}

function isResolved(
  cause: Cause,
  operation: CalledOperation | null,
  { credential }: { readonly credential: CredentialRights },
  where: CallExplanation['where'],
): boolean {
  if (cause === 'outOfRange' || cause === 'notFound') return where === 'inside';
  if (cause === 'permission' || cause === 'scopeType') {
    return operation?.requirements.every((one) => refusalOf(one, credential) === null) ?? false;
  }
  // For these causes, a usable credential suffices.
  return ['tokenDisabled', 'tokenExpired', 'schoolDisabled', 'issuerUnable'].includes(cause);
}

const requireTarget: Readonly<Partial<Record<Kind, (data: SchoolData, id: number) => Promise<unknown>>>> = {
  student: requireStudent,
  class: requireClass,
  grade: requireGrade,
  template: requireTemplate,
};

async function locateTarget({ kind, id }: CallTarget, callerData: SchoolData, ownData: SchoolData) {
  const isIn = async (data: SchoolData) => {
    try {
      return (await requireTarget[kind]?.(data, id)) !== undefined;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  };
  if (await isIn(callerData)) return 'inside';
  return (await isIn(ownData)) ? 'outside' : 'unknown';
}
