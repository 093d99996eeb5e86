import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../access/credential.ts';
import {
  type CollectionName,
  collections,
  filterRequirements,
  type RosterCall,
  type RosterCollections,
  type RosterOperation,
  type RosterPredicate,
  type RosterQuery,
  type RosterRecord,
  requirementsOf,
  rosterOperations,
  rosterPrefix,
  rosterServicePath,
} from '../access/roster-operations.ts';
import { SchoolData } from '../access/school-data.ts';
import type { Sealing } from '../access/sealing.ts';
import { runAs } from '../database/caller.ts';
import { AppError, notFound, unavailable } from '../errors/app-error.ts';
import { registerApi } from './api.ts';
import {
  type CallState,
  type CredentialApiOptions,
  CredentialCalls,
  presentedToken,
  requireAdmission,
} from './credential-calls.ts';
import { readForm } from './json-body.ts';
import { isRefused } from './load.ts';
import { bearerOf } from './request-parts.ts';
import { InvalidFilterError, type RosterSelection, readRosterQuery, readSelection } from './roster-query.ts';
import {
  issueRosterToken,
  readClient,
  readScopes,
  scopeText,
  TokenRequestError,
  tokenValidSeconds,
  verifyRosterToken,
} from './roster-tokens.ts';

const servicePath = rosterServicePath.slice(rosterPrefix.length);
const tokenPath = '/token';
const formBytesMax = 4_096;

export interface RosterApiOptions extends CredentialApiOptions {
  readonly sealing: Sealing;
  readonly collections: RosterCollections;
}

const missingTokenHint = 'Send an access token as Authorization: Bearer <token>';

/** Registers the rostering service of OneRoster 1.2, which is read-only, and its tokens (docs/oneroster.md). */
export async function rosterApi(app: FastifyInstance, options: RosterApiOptions): Promise<void> {
  const { db, bodies, clock, sealing } = options;
  const calls = new CredentialCalls(options);

  const authenticate = async (request: FastifyRequest, reply: FastifyReply, state: CallState) => {
    const bearer = bearerOf(request);
    const presented = bearer === '' ? null : verifyRosterToken(sealing, bearer);
    const credential = await calls.authenticate(request, reply, state, presented, missingTokenHint);
    return { credential, scopes: presented?.scopes ?? [] };
  };

  const add = registerApi<CallState>(app, options, {
    name: 'rosters',
    createState: (request, startedAt) => calls.createState(request, startedAt),
    checkCaller: authenticate,
    toErrorEnvelope: (error, request, reply, state) => {
      const forToken = request.url.startsWith(rosterPrefix + tokenPath);
      const challenge = forToken ? 'Basic realm="OneRoster"' : 'Bearer';
      const { status, message } = calls.refuse(error, request, reply, state, challenge);
      return forToken ? tokenRefusal(error, status, message) : statusInfo(error, status, message);
    },
    onAnswered: (request, reply, state) => calls.recordAnswer(request, reply, state),
  });

  const anySchema = {};
  add(
    { id: 'getToken', method: 'POST', path: tokenPath },
    { access_token: anySchema, token_type: anySchema, expires_in: anySchema, scope: anySchema },
    async (request, reply, state) => {
      if (isRefused(request.raw)) throw unavailable();
      const form = await readForm(request, formBytesMax, bodies);
      const client = readClient(request, form);
      const presented = client && presentedToken(client.secret);
      const credential = await calls.authenticate(
        request,
        reply,
        state,
        presented,
        'Send client_id and client_secret',
      );
      if (!client || !matchesClientId(credential, client.id)) {
        throw new AppError('token_invalid', 'client_id is not the one of the credential');
      }
      const granted = readScopes(form);
      return {
        access_token: issueRosterToken(sealing, client.secret, granted, clock()),
        token_type: 'Bearer',
        expires_in: tokenValidSeconds,
        scope: scopeText(granted),
      };
    },
  );

  for (const operation of rosterOperations) {
    const { collection: name, parents, fixedFilter } = operation;
    const isOne = operation.path.endsWith('/:sourcedId');
    const shown = toPredicates(fixedFilter);
    const { recordName } = collections[name];
    const requirements = requirementsOf(operation);
    const collection = options.collections[name];
    const path = servicePath + operation.path;
    add(
      { id: operation.id, method: 'GET', path },
      { [isOne ? recordName : name]: anySchema },
      async (request, reply, state) => {
        const { credential, scopes } = await authenticate(request, reply, state);
        if (parents.length > 0 && !scopes.includes('roster.readonly')) {
          throw new AppError('permission_denied', 'The access token lacks the scope roster.readonly');
        }
        for (const each of requirements) requireAdmission(each, credential);
        const given = request.query as Readonly<Record<string, unknown>>;
        const params = request.params as Readonly<Record<string, string>>;
        const { range } = credential;
        const call = {
          data: new SchoolData(db, range, credential.timeZone),
          schoolId: range.schoolId,
          at: clock(),
          base: `${request.protocol}://${request.host}${rosterServicePath}`,
        };
        return runAs(range.schoolId, `token ${credential.id}`, async () => {
          if (isOne) {
            const fields = readSelection(given, collection.shown);
            const [record] = await readBySourcedId(
              options.collections,
              name,
              call,
              params.sourcedId ?? '',
              shown,
            );
            return { [recordName]: selectFields(record as RosterRecord, fields) };
          }
          const query = readRosterQuery(given, collection);
          const filtered = query.anyOf.flat().map(({ field }) => field);
          for (const each of filterRequirements(filtered)) requireAdmission(each, credential);
          const narrowed = await narrowToParents(options.collections, operation, call, params, query, shown);
          const { records, total } = await collection.read(call, narrowed);
          reply.header('x-total-count', total);
          const address = `${call.base}${operation.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}`;
          const links = linksOf(address, given, query, total);
          if (links) reply.header('link', links);
          return { [name]: records.map((record) => selectFields(record, query.fields)) };
        });
      },
    );
  }
}

/** Administrators see the prefix and the number, so clients can send either. */
const matchesClientId = ({ id, prefix }: Credential, clientId: string) =>
  clientId === prefix || clientId === String(id);

const toPredicates = (filter: RosterOperation['fixedFilter']): readonly RosterPredicate[] =>
  filter ? [{ ...filter, comparison: '=' }] : [];

/** @throws AppError not_found */
async function readBySourcedId(
  from: RosterCollections,
  name: CollectionName,
  call: RosterCall,
  sourcedId: string,
  shown: readonly RosterPredicate[],
) {
  const predicate: RosterPredicate = { field: 'sourcedId', comparison: '=', value: sourcedId };
  const query = { offset: 0, limit: 1, sort: null, anyOf: [[predicate, ...shown]], fields: null };
  // Finds nothing for U+0000: PostgreSQL text excludes it.
  const { records } = sourcedId.includes('\0') ? { records: [] } : await from[name].read(call, query);
  if (records.length === 0) throw notFound(`The ${collections[name].recordName}`);
  return records;
}

/** Limits a query to records below those in the path. @throws AppError not_found */
async function narrowToParents(
  from: RosterCollections,
  { parents }: RosterOperation,
  call: RosterCall,
  params: Readonly<Record<string, string>>,
  query: RosterSelection,
  shown: readonly RosterPredicate[],
): Promise<RosterQuery> {
  const narrowing: RosterPredicate[] = [...shown];
  for (const { collection, parameter, field, fixedFilter } of parents) {
    const value = params[parameter] ?? '';
    await readBySourcedId(from, collection, call, value, toPredicates(fixedFilter));
    if (field !== null) narrowing.push({ field, comparison: '=', value });
  }
  const anyOf = query.anyOf.length === 0 ? [[]] : query.anyOf;
  return { ...query, anyOf: anyOf.map((all) => [...narrowing, ...all]) };
}

const selectFields = (record: RosterRecord, fields: ReadonlySet<string> | null) =>
  fields === null ? record : Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));

function linksOf(
  address: string,
  given: Readonly<Record<string, unknown>>,
  { offset, limit }: RosterQuery,
  total: number,
): string {
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const to = (rel: string, from: number) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(given)) {
      if (name !== 'limit' && name !== 'offset') query.append(name, String(value));
    }
    query.append('limit', String(limit));
    query.append('offset', String(from));
    return `<${address}?${query}>; rel="${rel}"`;
  };
  return [
    ...(offset + limit < total ? [to('next', offset + limit)] : []),
    ...(offset > 0 ? [to('prev', Math.max(0, Math.min(offset - limit, last)))] : []),
    to('first', 0),
    to('last', last),
  ].join(', ');
}

const minorCodes: Readonly<Record<number, string>> = {
  401: 'unauthorisedrequest',
  403: 'forbidden',
  404: 'unknownobject',
  429: 'server_busy',
  500: 'internal_server_error',
  503: 'server_busy',
};

function statusInfo(error: unknown, status: number, message: string) {
  const minor = error instanceof InvalidFilterError ? 'invalid_filter_field' : minorCodes[status];
  return {
    imsx_codeMajor: 'failure',
    imsx_severity: 'error',
    imsx_description: message,
    imsx_CodeMinor: {
      imsx_codeMinorField: [
        {
          imsx_codeMinorFieldName: 'TargetEndSystem',
          imsx_codeMinorFieldValue: minor ?? 'invalid_selection_field',
        },
      ],
    },
  };
}

const tokenProblems: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  403: 'unauthorized_client',
  429: 'temporarily_unavailable',
  500: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

/** Returns an error body (RFC 6749, 5.2). */
function tokenRefusal(error: unknown, status: number, message: string) {
  const known = error instanceof TokenRequestError ? error.problem : tokenProblems[status];
  const problem = known ?? 'invalid_request';
  return { error: problem, error_description: message };
}
