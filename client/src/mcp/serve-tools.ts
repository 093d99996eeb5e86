import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ExitCode, exitCodes, type Terminal } from '../command/terminal.ts';
import { version } from '../version.ts';
import { type Tool, toolsFor } from './tools.ts';

const instructions = `The class scores of one school. Start with ping: it tells the school, the range and the permissions of the credential.
Ids come from the lists; do not guess them. Points are never changed: revoke a record that was a mistake, and give anew.
Deleting cannot be undone and needs confirm: true; ask the person first.`;

/**
 * Serves the operations that the token permits as MCP tools.
 * @throws ClassledgerError when the server is down or rejects the token
 */
export async function serveTools(
  { client, signal }: Terminal,
  { readOnly }: { readonly readOnly: boolean },
): Promise<ExitCode> {
  const { token } = await client.ping({}, { signal });
  const tools = toolsFor(token.scopes).filter(({ annotations }) => !readOnly || annotations.readOnlyHint);
  const over = new Promise<void>((resolve) => {
    process.stdin.once('close', resolve).once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const serving = serveStdio(() => {
    const server = new McpServer({ name: 'classledger', title: 'Classledger', version }, { instructions });
    for (const tool of tools) register(server, tool, client);
    return server;
  });
  await over;
  await serving.close();
  return exitCodes.done;
}

function register(server: McpServer, tool: Tool, client: Terminal['client']): void {
  const { name, title, description, annotations, inputSchema } = tool;
  const schema = fromJsonSchema<Record<string, unknown>>(inputSchema as Parameters<typeof fromJsonSchema>[0]);
  server.registerTool(
    name,
    { title, description, annotations, inputSchema: schema },
    async (given, { mcpReq }) => {
      try {
        return { content: [{ type: 'text', text: await tool.call(client, given, mcpReq.signal) }] };
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: tool.explain(error) }] };
      }
    },
  );
}
