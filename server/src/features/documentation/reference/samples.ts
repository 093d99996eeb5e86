import { bodyExamplesOf, type DocumentedOperation, isConfirmation } from './document-reader.ts';

export interface Sample {
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

/** Returns sample calls with only the required parts. */
export function samplesOf(operation: DocumentedOperation, prefix: string): Sample[] {
  return [
    { name: 'curl', language: 'bash', code: curl(operation, prefix) },
    { name: 'fetch', language: 'ts', code: fetchCall(operation, prefix) },
    { name: 'Classledger client', language: 'ts', code: clientCall(operation) },
  ];
}

const hasIdempotencyKey = ({ parameters }: DocumentedOperation) =>
  parameters.some(({ name }) => name === 'Idempotency-Key');

function addressOf(
  { path, parameters }: DocumentedOperation,
  prefix: string,
  insertValue: (name: string) => string,
): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(
      (parameter) => `${parameter.name}=${isConfirmation(parameter) ? 'true' : insertValue(parameter.name)}`,
    );
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name) => insertValue(name));
  return `${prefix}${filledPath}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function curl(operation: DocumentedOperation, prefix: string): string {
  const { method } = operation;
  const [body] = bodyExamplesOf(operation);
  const address = addressOf(operation, prefix, (name) => `$${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`);
  const lines = [`curl -sS "$CLASSLEDGER_URL${address}"`, '-H "Authorization: Bearer $CLASSLEDGER_TOKEN"'];
  if (method !== 'GET' && !(method === 'POST' && body))
    lines[0] = lines[0]?.replace('-sS', `-sS -X ${method}`) ?? '';
  if (hasIdempotencyKey(operation)) lines.push('-H "Idempotency-Key: $(uuidgen)"');
  if (body) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`--data '${JSON.stringify(body.value).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

function fetchCall(operation: DocumentedOperation, prefix: string): string {
  const { method } = operation;
  const [body] = bodyExamplesOf(operation);
  const address = addressOf(operation, prefix, (name) => `\${${name}}`);
  const headers = [`Authorization: \`Bearer \${token}\``];
  if (body) headers.push("'Content-Type': 'application/json'");
  if (hasIdempotencyKey(operation)) headers.push("'Idempotency-Key': crypto.randomUUID()");
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    headers.length === 1
      ? `  headers: { ${headers[0]} },`
      : `  headers: {\n${headers.map((header) => `    ${header},`).join('\n')}\n  },`,
    ...(body ? [`  body: JSON.stringify(${indented(JSON.stringify(body.value, null, 2))}),`] : []),
  ];
  return `const response = await fetch(\`\${url}${address}\`, {
${options.join('\n')}
});
const { code, message, data } = await response.json();`;
}

/** Passes the ids of the path first, then the other required parts. */
function clientCall(operation: DocumentedOperation): string {
  const { operationId, path, parameters } = operation;
  const [body] = bodyExamplesOf(operation);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => (isConfirmation(parameter) ? `${parameter.name}: true` : parameter.name));
  const callArguments = [
    ...ids,
    ...(query.length > 0 ? [`{ ${query.join(', ')} }`] : []),
    ...(body ? [JSON.stringify(body.value, null, 2)] : []),
  ];
  return `const client = new Classledger({ url, token });
const data = await client.${operationId}(${callArguments.join(', ')});`;
}

const indented = (text: string) => text.replaceAll('\n', '\n  ');
