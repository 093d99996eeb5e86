import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { InputOf } from '../client.ts';
import { type ExitCode, exitCodes, type Terminal } from '../command/terminal.ts';
import { ApiError } from '../errors.ts';
import { type OperationId, operations } from '../generated/operations.ts';
import { tools } from '../generated/tools.ts';
import { version } from '../version.ts';

type ToolInput = Readonly<Record<string, unknown>>;

const instructions = `The class scores of one school. Start with ping: it tells the school, the range and the permissions of the credential.
Ids come from the lists; do not guess them. Points are never changed: revoke a record that was a mistake, and give anew.
Deleting cannot be undone and needs confirm: true; ask the person first.`;

const confirm = {
  type: 'boolean',
  const: true,
  description: 'Say true when the person has agreed that this is taken away.',
};

/**
 * Serves the operations that the token permits as MCP tools.
 * @throws ClassledgerError when the server is down or rejects the token
 */
export async function serveTools(
  { client, signal }: Terminal,
  { readOnly }: { readonly readOnly: boolean },
): Promise<ExitCode> {
  const { token } = await client.ping({}, { signal });
  const ids = permittedOperations(token.scopes).filter((id) => !readOnly || operations[id].method === 'GET');
  const over = new Promise<void>((resolve) => {
    process.stdin.once('close', resolve).once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const serving = serveStdio(() => {
    const server = new McpServer({ name: 'classledger', title: 'Classledger', version }, { instructions });
    for (const id of ids) registerTool(server, id, client);
    return server;
  });
  await over;
  await serving.close();
  return exitCodes.done;
}

/** Excludes writes of webhooks: malicious text could persuade an assistant to send data out and to set `confirm`. */
const reachesOutside = ({ method, path }: (typeof operations)[OperationId]) =>
  path.startsWith('/webhooks') && method !== 'GET' && method !== 'DELETE';

function permittedOperations(permissions: readonly string[]): OperationId[] {
  return (Object.keys(operations) as OperationId[]).filter((id) => {
    const { permission } = operations[id];
    return (permission === null || permissions.includes(permission)) && !reachesOutside(operations[id]);
  });
}

function registerTool(server: McpServer, id: OperationId, client: Terminal['client']): void {
  const { method, path } = operations[id];
  const { summary: title, description, inputSchema: described } = tools[id];
  const properties = described.properties as ToolInput;
  const withConfirmation = {
    ...described,
    properties: { ...properties, confirm },
    required: [...new Set([...described.required, 'confirm'])],
  };
  const inputSchema = fromJsonSchema<ToolInput>(
    (method === 'DELETE' ? withConfirmation : described) as Parameters<typeof fromJsonSchema>[0],
  );
  const annotations = {
    readOnlyHint: method === 'GET',
    // MCP calls a tool destructive if it does more than add data.
    destructiveHint: method !== 'GET' && method !== 'POST',
    // A POST is safe to repeat only with a key, which is optional.
    idempotentHint: method !== 'POST',
    openWorldHint: false,
  };
  server.registerTool(id, { title, description, annotations, inputSchema }, async (given, { mcpReq }) => {
    const { idempotencyKey, body, ...fields } = given;
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const inPath = Object.fromEntries(names.map((name) => [name, fields[name]]));
    const inQuery = Object.entries(fields).filter(([name]) => !names.includes(name) && name in properties);
    const input = { path: inPath, body, query: Object.fromEntries(inQuery) };
    try {
      const { data, replayed } = await client.call(id, input as unknown as InputOf<typeof id>, {
        signal: mcpReq.signal,
        idempotencyKey: idempotencyKey as string | undefined,
      });
      const json = JSON.stringify(data);
      const text = replayed
        ? `Nothing was done now: an earlier call had this idempotencyKey. Its answer was: ${json}`
        : json;
      return { content: [{ type: 'text', text }] };
    } catch (error) {
      const { message } = error as Error;
      const text = error instanceof ApiError ? `${message}\n${error.remedy}`.trimEnd() : message;
      return { isError: true, content: [{ type: 'text', text }] };
    }
  });
}
