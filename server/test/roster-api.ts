import type { FastifyInstance, InjectOptions } from 'fastify';
import type { CredentialClient } from './identities.ts';

export const rosterService = '/ims/oneroster/rostering/v1p2';

export interface RosterAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a standard that the contract does not know
  readonly body: any;
}

/** Calls OneRoster with credentials. */
export function rosterApi(http: FastifyInstance) {
  async function send(request: InjectOptions): Promise<RosterAnswer> {
    const response = await http.inject(request);
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }
  const askForToken = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      url: '/ims/oneroster/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    });
  return {
    askForToken,
    get: (token: string, path: string) =>
      send({ url: rosterService + path, headers: { authorization: `Bearer ${token}` } }),
    signIn: async ({ id, token }: CredentialClient, fields: Record<string, string> = {}): Promise<string> => {
      const { status, body } = await askForToken({ client_id: String(id), client_secret: token, ...fields });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.access_token;
    },
  };
}
