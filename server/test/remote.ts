import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A call that takes longer hangs, even on a busy machine. */
const hangingMs = 120_000;

export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly requestId: string;
}

/** Calls a server over kept-alive connections. Rejects an incomplete answer. */
export class Remote {
  readonly #address: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(address: string) {
    this.#address = address;
  }

  async call(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<RemoteAnswer> {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const sent = request(this.#address + path, { method, headers, agent: this.#agent, timeout: hangingMs });
    sent.on('timeout', () => sent.destroy(new Error(`No answer within ${hangingMs} ms`)));
    // Once the answer has begun, an error reaches the request and the answer.
    sent.on('error', () => {});
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const content = await text(answer);
    const { statusCode: status = 0 } = answer;
    try {
      return { status, headers: answer.headers, ...JSON.parse(content) };
    } catch {
      throw new Error(`No JSON was answered, but ${status} with ${content.slice(0, 200)}`);
    }
  }

  /** Returns the data of a successful answer. @throws Error with any other answer */
  async data<T>(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<T> {
    const { status, message, data } = await this.call(method, path, options);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${message}`);
    return data as T;
  }

  close(): void {
    this.#agent.destroy();
  }
}

export const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });

/** Signs in an administrator, who calls the internal API and issues credentials with all permissions. */
export async function signInAt(remote: Remote, admin: { username: string; password: string }) {
  const { headers } = await remote.call('POST', '/api/auth/login', { body: admin });
  const cookie = String(headers['set-cookie']).split(';', 1)[0] as string;
  const asAdmin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    remote.call(method, `/api${path}`, { body, headers: { cookie, ...headers } });
  const data = <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    remote.data<T>(method, `/api${path}`, { body, headers: { cookie, ...headers } });
  const issue = async (schoolDb: string | number) => {
    const { permissions } = await data<{ permissions: { name: string }[] }>('GET', '/api-tokens/meta');
    const scopes = permissions.map(({ name }) => name);
    return data<{ token: string; id: number }>(
      'POST',
      '/api-tokens',
      { schoolDb, name: 'remote', scopeType: 'school', scopes },
      { 'x-confirm-password': admin.password },
    );
  };
  return { cookie, asAdmin, data, issue };
}

/** Creates a school with one class, some students and a school credential through a running server. */
export async function openRemoteSchool(
  remote: Remote,
  admin: { username: string; password: string },
  students = 0,
) {
  const { asAdmin, data, issue: issueFor } = await signInAt(remote, admin);
  const create = <T>(path: string, body: object) => data<T>('POST', path, body);
  const { schoolDb } = await create<{ schoolDb: string }>('/schools', { name: 'Remote School' });
  const grade = await create<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const { id: classId } = await create<{ id: number }>('/classes', {
    schoolDb,
    gradeId: grade.id,
    name: 'Class A',
  });
  const issue = () => issueFor(schoolDb);
  const { token, id: credentialId } = await issue();
  const headers = headersOf(token);
  const batch = Array.from({ length: students }, (_, n) => ({ username: `student-${n}` }));
  const body = { classId, defaultPassword: 'secret-password', batch };
  const made =
    students === 0
      ? { details: [] }
      : await remote.data<{ details: { id: number }[] }>('POST', '/api/v1/students', { headers, body });
  const studentIds = made.details.map(({ id }) => id);
  return { schoolDb, classId, token, credentialId, headers, studentIds, issue, asAdmin };
}
