import { type BulkScores, permissionNames } from '@classledger/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';

export interface IssueInput {
  readonly scopeType?: 'school' | 'grade' | 'class';
  readonly scopeGradeId?: number;
  readonly scopeClassId?: number;
  readonly scopes?: readonly string[];
  readonly expiresInDays?: number;
  readonly name?: string;
}

export interface ExternalAnswer {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly requestId: string;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

export interface InternalAnswer {
  readonly status: number;
  readonly success: boolean;
  readonly message: string;
  readonly requestId: string;
  /** What the caller can do about the refusal. */
  readonly reason?: string;
  readonly data: unknown;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS';
type Headers = Record<string, string>;

async function send(http: FastifyInstance, method: Method, url: string, headers: Headers, body?: unknown) {
  const options: InjectOptions = { method, url, headers };
  if (body !== undefined) {
    options.payload = typeof body === 'string' ? body : JSON.stringify(body);
    options.headers = { 'content-type': 'application/json', ...headers };
  }
  const response = await http.inject(options);
  const json = response.body === '' ? {} : JSON.parse(response.body);
  return { status: response.statusCode, headers: response.headers, ...json };
}

function client<Answer extends { status: number; message: string; data: unknown }>(
  http: FastifyInstance,
  prefix: string,
  own: Headers,
) {
  const call = (method: Method, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
    send(http, method, prefix + path, { ...own, ...headers }, body) as Promise<Answer>;
  const dataOf = async <T>(...request: Parameters<typeof call>): Promise<T> => {
    const { status, message, data } = await call(...request);
    if (status !== 200) throw new Error(`${request[0]} ${request[1]}: ${status} ${message}`);
    return data as T;
  };
  return {
    call,
    /** Returns the data; any status other than 200 fails the test. */
    read: <T>(path: string) => dataOf<T>('GET', path),
    /** Creates something and returns its record; any other answer fails the test. */
    created: <T>(path: string, body: object, headers?: Headers) => dataOf<T>('POST', path, body, headers),
    get: (path: string, headers?: Headers) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Headers) => call('POST', path, body, headers),
    patch: (path: string, body?: unknown, headers?: Headers) => call('PATCH', path, body, headers),
    put: (path: string, body?: unknown, headers?: Headers) => call('PUT', path, body, headers),
    delete: (path: string, headers?: Headers) => call('DELETE', path, undefined, headers),
  };
}

/** Returns clients without any identity for both APIs. */
export function anonymous(http: FastifyInstance) {
  return {
    external: client<ExternalAnswer>(http, '/api/v1', {}),
    internal: client<InternalAnswer>(http, '/api', {}),
  };
}

export type CredentialClient = ReturnType<typeof credentialClient>;

export function credentialClient(http: FastifyInstance, token: string, id: number) {
  const external = client<ExternalAnswer>(http, '/api/v1', { authorization: `Bearer ${token}` });
  return {
    token,
    id,
    ...external,
    /** Returns the entries of every page of a list. */
    readAll: async <T>(path: string): Promise<T[]> => {
      const all: T[] = [];
      for (let page = 1; ; page++) {
        const query = `${path.includes('?') ? '&' : '?'}limit=100&page=${page}`;
        const { list, total } = await external.read<{ list: T[]; total: number }>(path + query);
        all.push(...list);
        if (list.length === 0 || all.length >= total) return all;
      }
    },
    give: async (userId: number, scoreChange = 1, description = ''): Promise<number> => {
      const { details } = await external.created<BulkScores>('/scores', { userId, scoreChange, description });
      return details[0]?.logId as number;
    },
  };
}

export type StudentClient = Awaited<ReturnType<typeof signInStudent>>;

export async function signInStudent(
  http: FastifyInstance,
  login: { username: string; password: string; schoolDb?: string | number },
) {
  const answer = await anonymous(http).internal.post('/auth/student/login', login);
  if (answer.status !== 200) throw new Error(`Student login: ${answer.status} ${answer.message}`);
  const { id, token } = answer.data as { id: number; token: string };
  return studentClient(http, token, id);
}

/** Returns a client with a student token, which can be invalid. */
export function studentClient(http: FastifyInstance, token: string, id: number) {
  return { token, id, ...client<InternalAnswer>(http, '/api', { authorization: `Bearer ${token}` }) };
}

export type AdminClient = ReturnType<typeof adminClient>;

function adminClient(http: FastifyInstance, cookie: string, password: string) {
  const internal = client<InternalAnswer>(http, '/api', { cookie });
  return {
    cookie,
    password,
    ...internal,
    /** Confirms with the password, as pages do before operations that require a confirmation. */
    confirm: () => internal.created('/auth/confirm', { password }),
    /** Issues a credential, by default for the whole school with all permissions. */
    issue: async (schoolDb: string, input: IssueInput = {}): Promise<CredentialClient> => {
      const { scopes = permissionNames } = input;
      const body = { name: 'test', scopeType: 'school', ...input, scopes, schoolDb };
      const confirmed = { 'x-confirm-password': password };
      const { token, id } = await internal.created<{ token: string; id: number }>(
        '/api-tokens',
        body,
        confirmed,
      );
      return credentialClient(http, token, id);
    },
  };
}

export const AdminClient = {
  /** Signs in; `more` adds fields to the login, by default the field that the pages send. */
  signIn: async (
    http: FastifyInstance,
    username: string,
    password: string,
    more: object = { confirmations: true },
  ): Promise<AdminClient> => {
    const payload = { username, password, ...more };
    const response = await http.inject({ method: 'POST', url: '/api/auth/login', payload });
    if (response.statusCode !== 200) throw new Error(`Login failed: ${response.body}`);
    const cookie = String(response.headers['set-cookie']).split(';', 1)[0] as string;
    return adminClient(http, cookie, password);
  },
};
