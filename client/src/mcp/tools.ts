import type { Classledger, InputOf } from '../client.ts';
import { ApiError } from '../errors.ts';
import { type OperationId, operations } from '../generated/operations.ts';
import { tools as described } from '../generated/tools.ts';

type ToolInput = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: OperationId;
  readonly title: string;
  readonly description: string;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
  readonly inputSchema: object;
  readonly call: (client: Classledger, given: ToolInput, signal: AbortSignal) => Promise<string>;
  readonly explain: (error: unknown) => string;
}

const confirm = {
  type: 'boolean',
  const: true,
  description: 'Say true when the person has agreed that this is taken away.',
};

/** Excludes writes of webhooks: malicious text could persuade an assistant to send data out and to set `confirm`. */
function reachesOutside({ method, path }: (typeof operations)[OperationId]): boolean {
  return path.startsWith('/webhooks') && method !== 'GET' && method !== 'DELETE';
}

export function toolsFor(permissions: readonly string[]): Tool[] {
  return (Object.keys(operations) as OperationId[])
    .filter((id) => {
      const { permission } = operations[id];
      return (permission === null || permissions.includes(permission)) && !reachesOutside(operations[id]);
    })
    .map(buildTool);
}

function buildTool(id: OperationId): Tool {
  const { method, path } = operations[id];
  const { summary, description, inputSchema } = described[id];
  const isDeleting = method === 'DELETE';
  const properties = inputSchema.properties as ToolInput;
  return {
    name: id,
    title: summary,
    description,
    annotations: {
      readOnlyHint: method === 'GET',
      // MCP calls a tool destructive if it does more than add data.
      destructiveHint: method !== 'GET' && method !== 'POST',
      // A POST is safe to repeat only with a key, which is optional.
      idempotentHint: method !== 'POST',
      openWorldHint: false,
    },
    inputSchema: isDeleting
      ? {
          ...inputSchema,
          properties: { ...properties, confirm },
          required: [...new Set([...inputSchema.required, 'confirm'])],
        }
      : inputSchema,
    call: async (client, toolInput, signal) => {
      const { idempotencyKey, body, ...fields } = toolInput;
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      const inPath = Object.fromEntries(names.map((name) => [name, fields[name]]));
      const inQuery = Object.entries(fields).filter(([name]) => !names.includes(name) && name in properties);
      const input = { path: inPath, body, query: Object.fromEntries(inQuery) };
      const { data, replayed } = await client.call(id, input as unknown as InputOf<typeof id>, {
        signal,
        idempotencyKey: idempotencyKey as string | undefined,
      });
      const text = JSON.stringify(data);
      return replayed
        ? `Nothing was done now: an earlier call had this idempotencyKey. Its answer was: ${text}`
        : text;
    },
    explain: (error) => {
      const { message } = error as Error;
      return error instanceof ApiError ? `${message}\n${error.remedy}`.trimEnd() : message;
    },
  };
}
