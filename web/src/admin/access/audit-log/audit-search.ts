import type { InputOf } from '../../../api/operation-types.ts';
import { filtersOf, flagIn, idIn, oneOf, pageIn, type RawSearch, withoutEmpty } from '../../address.ts';

/** What the address of the audit log holds. */
export interface AuditSearch {
  /** The whole installation, with calls that named no known credential; for super administrators. */
  readonly all?: true;
  /** Id of a credential. */
  readonly token?: number;
  readonly method?: (typeof methods)[number];
  readonly status?: number;
  readonly failed?: true;
  readonly page?: number;
}

/** Methods that the external API knows. */
export const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** Statuses that the external API answers. */
export const statuses = [200, 400, 401, 403, 404, 409, 429, 500, 503] as const;

/** So many lines are a page. */
export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<AuditSearch>('token', 'method', 'status', 'failed');

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readAuditSearch(raw: RawSearch): AuditSearch {
  const status = idIn(raw.status);
  return withoutEmpty<AuditSearch>({
    all: flagIn(raw.all),
    token: idIn(raw.token),
    method: oneOf(methods, raw.method),
    status: status !== undefined && status >= 100 && status <= 599 ? status : undefined,
    failed: flagIn(raw.failed),
    page: pageIn(raw.page),
  });
}

/** The question to the server. */
export function auditQuery(
  schoolDb: string | undefined,
  { token, method, status, failed, page = 1 }: AuditSearch,
): NonNullable<InputOf<'listAuditRecords'>['query']> {
  return { schoolDb, tokenId: token, method, statusCode: status, onlyFailed: failed, page, limit: pageSize };
}

/** What a status means to someone who does not know numbers. */
export function outcomeOf(status: number): 'succeeded' | 'refused' | 'broke' {
  if (status >= 500) return 'broke';
  return status >= 400 ? 'refused' : 'succeeded';
}
