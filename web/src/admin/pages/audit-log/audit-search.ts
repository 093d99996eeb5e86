import type { InputOf } from '../../../api/operation-types.ts';

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
export const statuses = [200, 400, 401, 403, 404, 409, 429, 500] as const;

/** So many lines are a page. */
export const pageSize = 50;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const method = methods.find((one) => one === raw.method);
  const { all, token, status, failed, page } = raw;
  return {
    ...(all === true && { all }),
    ...(isId(token) && { token }),
    ...(method && { method }),
    ...(isId(status) && status >= 100 && status <= 599 && { status }),
    ...(failed === true && { failed }),
    ...(isId(page) && page > 1 && { page }),
  };
}

/** Whether something is left out of the log. */
export function isFiltered({ token, method, status, failed }: AuditSearch): boolean {
  return [token, method, status, failed].some((value) => value !== undefined);
}

/** The question to the server. */
export function auditQuery(
  schoolDb: string | undefined,
  { token, method, status, failed, page = 1 }: AuditSearch,
): NonNullable<InputOf<'listAuditRecords'>['query']> {
  return { schoolDb, tokenId: token, method, statusCode: status, onlyFailed: failed, page, limit: pageSize };
}

/** What a status means to somebody who does not know numbers. */
export function outcomeOf(status: number): 'succeeded' | 'refused' | 'broke' {
  if (status >= 500) return 'broke';
  return status >= 400 ? 'refused' : 'succeeded';
}
