import {
  type Data,
  type ExternalOperation,
  type ExternalOperationId,
  type ExternalOperations,
  externalOperations,
  limits,
  namesOf,
} from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../access/credential.ts';
import { SchoolData } from '../access/school-data.ts';
import { runAs } from '../database/caller.ts';
import { AppError } from '../errors/app-error.ts';
import type { KeyClaim, KeysInUse, ReplayedAnswer } from '../idempotency/idempotency-keys.ts';
import { JsonAnswer } from './answer-sender.ts';
import { readKeyClaim, registerApi, unwrapReplay } from './api.ts';
import {
  type CallState,
  type CredentialApiOptions,
  CredentialCalls,
  presentedToken,
  requireAdmission,
} from './credential-calls.ts';
import { compileInput, type Input } from './input.ts';
import { readBody } from './json-body.ts';
import { createReadOnlyFieldCheck, type RecordReader } from './read-only-fields.ts';
import { bearerOf, externalPrefix } from './request-parts.ts';

export interface ExternalCall<O extends ExternalOperation> extends Input<O> {
  readonly credential: Credential;
  readonly data: SchoolData;
  readonly at: Date;
  /** Set when the caller sent a key and the operation honours keys. */
  readonly key: KeyClaim | null;
}

/** A missing route does not compile. An operation that honours idempotency keys may return a replayed answer. */
export type ExternalRoutes = {
  readonly [Id in ExternalOperationId]: (
    call: ExternalCall<ExternalOperations[Id]>,
  ) => Promise<
    | Data<ExternalOperations[Id]>
    | JsonAnswer<Data<ExternalOperations[Id]>>
    | (ExternalOperations[Id] extends { idempotent: true } ? ReplayedAnswer : never)
  >;
};

/** Readers for the records that PATCH operations change. The start fails when a required reader is missing. */
export type ExternalRecords = {
  readonly [Id in ExternalOperationId]?: RecordReader<ExternalCall<ExternalOperations[Id]>>;
};

export interface ExternalApiOptions extends CredentialApiOptions {
  readonly keysInUse: KeysInUse;
  readonly keyLengthMax: number;
  readonly routes: ExternalRoutes;
  readonly records: ExternalRecords;
}

/** Registers the external API under /api/v1. Its steps follow docs/contract.md, Order of checks. */
export async function externalApi(app: FastifyInstance, options: ExternalApiOptions): Promise<void> {
  const { db, bodies, clock, keysInUse, keyLengthMax } = options;

  const calls = new CredentialCalls(options);
  const authenticate = (request: FastifyRequest, reply: FastifyReply, state: CallState, token: string) =>
    calls.authenticate(request, reply, state, token === '' ? null : presentedToken(token), missingTokenHint);

  const add = registerApi<CallState>(app, options, {
    name: 'external',
    createState: (request, startedAt) => calls.createState(request, startedAt),
    checkCaller: (request, reply, state) => authenticate(request, reply, state, readToken(request)),
    toErrorEnvelope: (error, request, reply, state) => {
      const { code, message } = calls.refuse(error, request, reply, state);
      return { code, message, data: null, requestId: request.id };
    },
    tagsReads: true,
    onAnswered: (request, reply, state) => calls.recordAnswer(request, reply, state),
  });

  const addOperation = <Id extends ExternalOperationId>(id: Id) => {
    const operation = externalOperations[id];
    const read = compileInput(operation);
    const rule = options.routes[id];
    const recordOf: RecordReader<ExternalCall<ExternalOperations[Id]>> | undefined = options.records[id];
    const checkReadOnlyFields = createReadOnlyFieldCheck(operation, recordOf);
    const { idempotent, query }: ExternalOperation = operation;
    const isList = query?.properties.page !== undefined;
    const keyedOperation = idempotent ? { prefix: externalPrefix, operation, keyLengthMax } : null;

    add(operation, envelopeOf(operation.data), async (request, reply, state) => {
      const token = readToken(request);
      let credential = await authenticate(request, reply, state, token);
      requireAllowed(operation, credential, request);
      using body = await readBody(request, limits.bodyBytesMax, bodies);
      if (body.isLate) {
        credential = await calls.identify(state, presentedToken(token));
        requireAllowed(operation, credential, request);
      }
      const input = read({ params: request.params, query: request.query, body: body.value });
      const data = new SchoolData(db, credential.range, credential.timeZone);
      const owner = `token ${credential.id}`;
      const { schoolId } = data;
      const key =
        keyedOperation &&
        readKeyClaim(request, keyedOperation, input.params, { schoolId, owner, secret: token });
      const call = { ...input, credential, data, at: clock(), key };
      const answer = await runAs(schoolId, owner, () =>
        keysInUse.runWithKey(key, data, async () => {
          await checkReadOnlyFields?.(call);
          return rule(call);
        }),
      );
      if (isList && 'after' in input.query) addNextPageLink(answer, operation, request, reply);
      if (answer instanceof JsonAnswer) {
        return new JsonAnswer(`{"code":0,"message":"ok","data":${answer.json},"requestId":"${request.id}"}`);
      }
      return { code: 0, message: 'ok', data: unwrapReplay(answer, reply), requestId: request.id };
    });
  };
  namesOf(externalOperations).forEach(addOperation);
}

/** Adds a Link header when there is a next page (RFC 8288). */
function addNextPageLink(
  page: unknown,
  { path }: ExternalOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { nextCursor } = page as { readonly nextCursor?: string | null };
  if (!nextCursor) return;
  const query = new URLSearchParams(request.originalUrl.split('?')[1]);
  query.set('after', nextCursor);
  reply.header('link', `<${externalPrefix}${path}?${query}>; rel="next"`);
}

const missingTokenHint = 'Send the credential as Authorization: Bearer <credential> or X-API-Token';

/** Fastify serialises only these fields. */
const envelopeOf = (data: object) => ({
  code: { type: 'integer' },
  message: { type: 'string' },
  data,
  requestId: { type: 'string' },
});

/** Returns the token; empty without one. Prefers Authorization to X-API-Token. */
function readToken(request: FastifyRequest): string {
  const header = request.headers['x-api-token'];
  return bearerOf(request) || ((Array.isArray(header) ? header[0] : header)?.trim() ?? '');
}

function requireAllowed(operation: ExternalOperation, credential: Credential, request: FastifyRequest): void {
  requireAdmission(operation, credential);
  if (operation.destructive && (request.query as { confirm?: unknown }).confirm !== 'true') {
    throw new AppError('unconfirmed', 'This deletes data; confirm it with confirm=true in the query');
  }
}
