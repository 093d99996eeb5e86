/** A client written only from the two specifications. It imports no code of the product. */

/** JSON as received; the tests state what they expect. */
export type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly message: string;
  readonly data: Json;
}

/** Envelope of the external API (section 2.1). */
export interface ExternalAnswer extends Answer {
  readonly code: number;
  readonly requestId: string;
}

/** Envelope of the internal API (section 2.1). */
export interface InternalAnswer extends Answer {
  readonly success: boolean;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type HeaderFields = Record<string, string>;

type Proof = (login: InternalAnswer) => HeaderFields;

const send = async (method: Method, url: string, headers: HeaderFields, body?: unknown) => {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, ...(await response.json()) };
};

type Call<A> = (method: Method, path: string, body?: unknown, headers?: HeaderFields) => Promise<A>;

const methods = <A>(call: Call<A>) => ({
  call,
  get: (path: string) => call('GET', path),
  post: (path: string, body?: unknown, headers?: HeaderFields) => call('POST', path, body, headers),
  patch: (path: string, body?: unknown, headers?: HeaderFields) => call('PATCH', path, body, headers),
  delete: (path: string, headers?: HeaderFields) => call('DELETE', path, undefined, headers),
});

/** Calls below `/api/v1` with these header fields. */
export const external = (url: string, proof: HeaderFields = {}) =>
  methods<ExternalAnswer>((method, path, body, headers) =>
    send(method, `${url}/api/v1${path}`, { ...proof, ...headers }, body),
  );

/** Calls below `/api/v1` with an API token (section 5.1). */
export const app = (url: string, token: string) => ({
  token,
  ...external(url, { Authorization: `Bearer ${token}` }),
});

/** Calls below `/api` with these header fields. */
export const internal = (url: string, proof: HeaderFields = {}) =>
  methods<InternalAnswer>((method, path, body, headers) =>
    send(method, `${url}/api${path}`, { ...proof, ...headers }, body),
  );

const person =
  (loginPath: string, proofOf: Proof) => async (url: string, username: string, password: string) => {
    const logIn = async () => proofOf(await internal(url).post(loginPath, { username, password }));
    let proof = await logIn();
    const call: Call<InternalAnswer> = async (...request) => {
      const answer = await internal(url, proof).call(...request);
      if (answer.status !== 401) return answer;
      proof = await logIn();
      return internal(url, proof).call(...request);
    };
    return { username, password, ...methods(call) };
  };

/** Returns the session cookie of a login. */
export const cookie: Proof = ({ headers }) => ({
  Cookie: headers
    .getSetCookie()
    .map((field) => field.split(';')[0])
    .join('; '),
});

/** Returns the student token of a login as a header. */
export const bearer: Proof = ({ data }) => ({ Authorization: `Bearer ${data.token}` });

export const administrator = person('/auth/login', cookie);
export const student = person('/auth/student/login', bearer);
