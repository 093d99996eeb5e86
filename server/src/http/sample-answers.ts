import { type ExternalOperationId, externalOperations } from '@classledger/contract';
import type { Credential } from '../access/credential.ts';
import type { SchoolData } from '../access/school-data.ts';
import { JsonAnswer } from './answer-sender.ts';
import type { ExternalCall, ExternalRoutes } from './external-api.ts';
import { compileInput } from './input.ts';

const entriesMax = 3;

/** Returns a function that runs reads of the external API, without rate limit and audit log. */
export const createSampleAnswerReader =
  (routes: ExternalRoutes) =>
  async (
    id: ExternalOperationId,
    params: Readonly<Record<string, number>>,
    as: { readonly credential: Credential; readonly data: SchoolData; readonly at: Date },
  ): Promise<string> => {
    const operation = externalOperations[id];
    const paged = 'query' in operation && 'limit' in operation.query.properties;
    const texts = Object.entries(params).map(([name, value]) => [name, String(value)]);
    const read = compileInput(operation);
    const input = read({
      params: Object.fromEntries(texts),
      query: paged ? { limit: String(entriesMax) } : {},
      body: undefined,
    });
    const rule = routes[id] as (call: ExternalCall<typeof operation>) => Promise<unknown>;
    const answer = await rule({ ...input, ...as, key: null } as ExternalCall<typeof operation>);
    // A `JsonAnswer` has one character for each byte.
    const data = answer instanceof JsonAnswer ? JSON.parse(`${Buffer.from(answer.json, 'latin1')}`) : answer;
    return JSON.stringify(keepDeclaredFields(operation.data as Shape, data));
  };

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

function keepDeclaredFields(schema: Shape | undefined, value: unknown): unknown {
  if (Array.isArray(value))
    return value.slice(0, entriesMax).map((entry) => keepDeclaredFields(schema?.items, entry));
  const fields = schema?.properties;
  if (!fields || typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(known.map(([name, field]) => [name, keepDeclaredFields(fields[name], field)]));
}
