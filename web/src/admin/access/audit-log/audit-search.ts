import {
  type ParsedSearch,
  parseFlag,
  parseId,
  parseOneOf,
  parsePage,
  searchReader,
} from '../../search-parameters.ts';

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Statuses to choose from in the filter. The URL may contain others. */
export const statusChoices = [200, 400, 401, 403, 404, 409, 429, 500, 503] as const;

export const readAuditSearch = searchReader({
  /** All schools, and calls without a known credential. Only super administrators may see them. */
  all: parseFlag,
  token: parseId,
  method: (value) => parseOneOf(httpMethods, value),
  status: (value) => {
    const status = parseId(value);
    return status !== undefined && status >= 100 && status <= 599 ? status : undefined;
  },
  failed: parseFlag,
  page: parsePage,
});

export type AuditSearch = ParsedSearch<typeof readAuditSearch>;

export function callOutcomeOf(status: number): 'succeeded' | 'refused' | 'broke' {
  if (status >= 500) return 'broke';
  return status >= 400 ? 'refused' : 'succeeded';
}
