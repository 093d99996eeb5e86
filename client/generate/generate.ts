import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, errorCodes, httpStatusOf } from '@classledger/contract';
import { type DocumentedOperation, documented, messages, schemas } from './documented.ts';
import { formatComment, objectText, type Schema, typeText } from './type-text.ts';

const fileHeader = `// \`npm run client:generate\` derives this file from the contract. Do not edit.\n`;

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const files = {
  'types.ts': typesFile,
  'error-codes.ts': errorCodesFile,
  'operations.ts': operationsFile,
  'methods.ts': methodsFile,
  'tools.ts': toolsFile,
};

function typesFile(): string {
  const named = Object.entries(schemas).filter(([name]) => name !== 'ErrorEnvelope');
  const own = documented.flatMap((each) => [
    ...(each.query ? [[`${capitalised(each.id)}Query`, each.query] as const] : []),
    ...(each.body ? [[`${capitalised(each.id)}Body`, each.body] as const] : []),
    ...(each.data.$ref ? [] : [[`${capitalised(each.id)}Data`, each.data] as const]),
  ]);
  const received = `/** The body of a delivery of a webhook. */\nexport type WebhookDelivery = ${messages.map((schema) => typeText(schema)).join(' | ')};\n`;
  return [
    fileHeader,
    ...[...named, ...own].map(([name, schema]) => declaration(name, schema)),
    received,
  ].join('\n');
}

function declaration(name: string, schema: Schema): string {
  const about = formatComment(schema.description);
  if (schema.type !== 'object' || schema.allOf) return `${about}export type ${name} = ${typeText(schema)};\n`;
  return `${about}export interface ${name} ${objectText(schema)}\n`;
}

function errorCodesFile(): string {
  const table = Object.entries(errorCodes).map(
    ([code, { name, remedy }]) =>
      [code, { status: httpStatusOf(Number(code) as ErrorCode), name, remedy }] as const,
  );
  return `${fileHeader}
/** Every error code with its HTTP status, its name and what to do about it. */
${constant('errorCodes', table)}
export type ErrorCode = keyof typeof errorCodes;

/** The codes of an HTTP status. */
export type CodeOf<S extends number> = {
  [C in ErrorCode]: (typeof errorCodes)[C]['status'] extends S ? C : never;
}[ErrorCode];
`;
}

function operationsFile(): string {
  const table = documented.map(({ id, operation: { method, path, permission, idempotent }, parts }) => {
    const bulk = parts && { field: parts.field, max: parts.max, counts: parts.counts, flags: parts.flags };
    return [id, { method, path, permission, takesKey: idempotent === true, parts: bulk }] as const;
  });
  return `${fileHeader}
/**
 * Every operation of the API. \`takesKey\`: it honours idempotency keys. \`parts\`: the field of a bulk request, how many
 * entries it takes, and of its answer the fields that count entries and those that repeat a flag of the body.
 */
${constant('operations', table)}
export type OperationId = keyof typeof operations;
`;
}

function constant(name: string, table: readonly (readonly [string, object])[]): string {
  const rows = table.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`);
  return `export const ${name} = {\n${rows.join('\n')}\n} as const;\n`;
}

const dataType = ({ id, data }: DocumentedOperation) =>
  data.$ref ? typeText(data) : `${capitalised(id)}Data`;
const bodyType = ({ id, body }: DocumentedOperation) => body && `${capitalised(id)}Body`;
const queryType = ({ id, query }: DocumentedOperation) => query && `${capitalised(id)}Query`;

function methodsFile(): string {
  const texts = documented.map(methodTexts).join('\n');
  const used = [
    ...Object.keys(schemas),
    ...documented.flatMap(({ id }) => ['Query', 'Body', 'Data'].map((kind) => capitalised(id) + kind)),
  ];
  const imported = used.filter((name) => new RegExp(`\\b${name}\\b`).test(texts + operationsMap()));
  return `${fileHeader}
import type { BatchOptions, CallOptions, Input } from '../call.ts';
import type {
${imported
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.ts';
import type { OperationId } from './operations.ts';

/** What each operation takes and answers. */
export interface Operations {
${operationsMap()}
}

/** One method per operation of the API, under its operationId. */
export abstract class Methods {
  /** Makes a call and answers its data. */
  protected abstract data<I extends OperationId>(
    id: I,
    input: Input,
    options: CallOptions | undefined,
  ): Promise<Operations[I]['data']>;
  /** Reads a list to its end, page by page. */
  protected abstract entries<T>(id: OperationId, query: object, options: CallOptions | undefined): AsyncGenerator<T, void, undefined>;
  /** Makes as many calls as a bulk request of any length needs. */
  protected abstract parts<T>(id: OperationId, body: object, options: BatchOptions<T> | undefined): Promise<T>;

${texts}}
`;
}

function operationsMap(): string {
  return documented
    .map((each) => {
      const path = each.path.map(({ name }) => `${name}: number`).join('; ');
      return `  ${each.id}: { path: ${path ? `{ ${path} }` : 'undefined'}; query: ${queryType(each) ?? 'undefined'}; body: ${bodyType(each) ?? 'undefined'}; data: ${dataType(each)} };`;
    })
    .join('\n');
}

function methodTexts(each: DocumentedOperation): string {
  return [
    callText(each),
    ...(each.entry ? [iteratorText(each)] : []),
    ...(each.parts ? [batchText(each)] : []),
  ].join('\n');
}

function callText(each: DocumentedOperation): string {
  const { id, path, query, body } = each;
  const optional = !query?.required?.length;
  const parameters = [
    ...path.map(({ name }) => `${name}: number`),
    ...(body ? [`body: ${bodyType(each)}`] : []),
    ...(query ? [`query: ${queryType(each)}${optional ? ' = {}' : ''}`] : []),
  ];
  const input = [
    ...(path.length > 0 ? [`path: { ${path.map(({ name }) => name).join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(query ? ['query'] : []),
  ];
  const about = formatComment(`${each.summary}.\n\n${each.description}`, '  ');
  const overloads = formsWithAnswers(each).map(
    ([form, data]) => `  ${id}(body: ${form}, options?: CallOptions): Promise<${data}>;\n`,
  );
  return `${about}${overloads.join('')}  ${id}(${[...parameters, 'options?: CallOptions'].join(', ')}): Promise<${dataType(each)}> {
    return this.data('${id}', { ${input.join(', ')} }, options);
  }
`;
}

/** Returns the types of each form of the body and of its answer, then those of all forms together. */
function formsWithAnswers({ body, data }: DocumentedOperation): readonly (readonly [string, string])[] {
  const forms = body?.oneOf ?? [];
  const answers = data.anyOf ?? [];
  if (!body || forms.length === 0 || forms.length !== answers.length) return [];
  return [...forms, body].map((form, i) => [typeText(form), typeText(answers[i] ?? data)]);
}

function iteratorText({ id, entry: schema }: DocumentedOperation): string {
  const entry = typeText(schema as Schema);
  return `  /** All entries of \`${id}\`, read page by page as they are taken. */
  ${id.replace(/^list/, 'all')}(
    query: Omit<${capitalised(id)}Query, 'page' | 'after' | 'limit'> = {},
    options?: CallOptions,
  ): AsyncGenerator<${entry}, void, undefined> {
    return this.entries<${entry}>('${id}', query, options);
  }
`;
}

function batchText(each: DocumentedOperation): string {
  const { id, parts, data } = each;
  const forms = (parts?.forms ?? []).map((form) => (form.$ref ? typeText(form) : bodyType(each)));
  const bulk = typeText((data.anyOf ?? [data]).at(-1) as Schema);
  return `  /**
   * \`${id}\` with any number of \`${parts?.field}\`: as many calls as that needs, and one answer with the result of each entry
   * in the order of the input.
   *
   * @throws BatchInterruptedError when a call fails for good; it holds the results so far and the key to go on with
   */
  ${id.replace(/^[a-z]+/, '$&Many')}(body: ${forms.join(' | ')}, options?: BatchOptions<${bulk}>): Promise<${bulk}> {
    return this.parts<${bulk}>('${id}', body, options);
  }
`;
}

function toolsFile(): string {
  const table = documented.map(({ id, operation, summary, description, path, query, body }) => {
    const properties = {
      ...Object.fromEntries(path.map(({ name, schema, description }) => [name, { ...schema, description }])),
      ...query?.properties,
      ...(operation.idempotent && {
        idempotencyKey: {
          type: 'string',
          description:
            'Name of this piece of work: repeat a call whose outcome is unknown with the same key, and it is done once.',
        },
      }),
      ...(body && { body }),
    };
    const required = [...path.map(({ name }) => name), ...(query?.required ?? []), ...(body ? ['body'] : [])];
    const inputSchema = {
      type: 'object',
      properties,
      required,
      additionalProperties: false,
      ...definitions(properties),
    };
    return [id, { summary, description, inputSchema }] as const;
  });
  return `${fileHeader}\n${constant('tools', table)}`.replaceAll('#/components/schemas/', '#/$defs/');
}

function definitions(value: unknown): { $defs?: object } {
  const found = new Map<string, unknown>();
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.set(name, schemas[name]);
      visit(schemas[name]);
    }
  };
  visit(value);
  return found.size > 0 ? { $defs: Object.fromEntries(found) } : {};
}

const folder = new URL('../src/generated/', import.meta.url);

/** Writes `client/src/generated`. Leaves current files alone, so that file watchers react only to changes. */
export function generateClient(): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, textOf] of Object.entries(files)) {
    const file = new URL(name, folder);
    const text = textOf();
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateClient();
