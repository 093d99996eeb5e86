import { Agent, request } from 'node:http';

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

  call(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<RemoteAnswer> {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#address + path,
        { method, headers, agent: this.#agent, timeout: hangingMs },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            text += part;
          });
          response.on('error', reject);
          response.on('end', () => {
            if (!response.complete) return reject(new Error('The answer was cut off'));
            const { statusCode: status = 0, headers } = response;
            try {
              resolve({ status, headers, ...JSON.parse(text) });
            } catch {
              reject(new Error(`No JSON was answered, but ${status} with ${text.slice(0, 200)}`));
            }
          });
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`No answer within ${hangingMs} ms`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Creates a school with one class and a school credential through a running server. */
export async function openRemoteSchool(remote: Remote, admin: { username: string; password: string }) {
  const login = await remote.call('POST', '/api/auth/login', { body: admin });
  const cookie = String(login.headers['set-cookie']).split(';', 1)[0] as string;
  const asAdmin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    remote.call(method, `/api${path}`, { body, headers: { cookie, ...headers } });
  const create = async <T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> => {
    const answer = await asAdmin('POST', path, body, headers);
    if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.status} ${answer.message}`);
    return answer.data as T;
  };
  const { schoolDb } = await create<{ schoolDb: string }>('/schools', { name: 'Remote School' });
  const grade = await create<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const place = await create<{ id: number }>('/classes', { schoolDb, gradeId: grade.id, name: 'Class A' });
  const meta = await asAdmin('GET', '/api-tokens/meta');
  const scopes = (meta.data as { permissions: { name: string }[] }).permissions.map(({ name }) => name);
  const issue = () =>
    create<{ token: string; id: number }>(
      '/api-tokens',
      { schoolDb, name: 'remote', scopeType: 'school', scopes },
      { 'x-confirm-password': admin.password },
    );
  const { token } = await issue();
  return { schoolDb, classId: place.id, token, issue, asAdmin };
}
