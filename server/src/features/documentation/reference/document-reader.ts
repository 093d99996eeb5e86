import type { Json } from '../openapi-schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
}

export interface Example {
  readonly name: string;
  readonly title: string;
  readonly value: unknown;
}

/** An error or a header with its meaning. */
export interface Definition {
  readonly title: string;
  readonly text: string;
}

export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Json; readonly examples: readonly Example[] } | null;
  readonly data: Json;
  readonly example: unknown;
  readonly failures: readonly Definition[];
  readonly sharedFailures: readonly string[];
  /** A call needs one of these schemes with its permissions or roles; empty for a public call. */
  readonly security: readonly (readonly [scheme: string, roles: readonly string[]])[];
  readonly destructive: boolean;
}

export interface DocumentedMessage {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly headers: readonly Parameter[];
  readonly schema: Json;
  readonly example: unknown;
}

export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
  readonly messages: readonly DocumentedMessage[];
}

/** Returns whether the caller confirms a deletion with this parameter. */
export const isConfirmation = ({ schema }: Parameter): boolean => schema.const === 'true';

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content: { readonly 'application/json': Json };
}

export class DocumentReader {
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  get info(): {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  } {
    return this.#document.info as never;
  }

  get prefix(): string {
    const [server] = this.#document.servers as { url: string }[];
    return new URL(server?.url ?? '', 'https://origin.invalid').pathname;
  }

  /** Returns true for a bearer token, false for the session cookie of a browser. */
  isToken(scheme: string): boolean {
    const { securitySchemes } = this.#document.components as { securitySchemes: Record<string, Json> };
    return securitySchemes[scheme]?.type === 'http';
  }

  get chapters(): Chapter[] {
    const operations = Object.entries(this.#document.paths as Record<string, Record<string, Json>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          tag: (operation.tags as string[])[0],
          operation: this.#operation(method.toUpperCase(), path, operation),
        })),
    );
    const messages = Object.entries((this.#document.webhooks ?? {}) as Record<string, { post: Json }>).map(
      ([type, { post }]) => ({ tag: (post.tags as string[])[0], message: this.#message(type, post) }),
    );
    return (this.#document.tags as { name: string; description: string; 'x-displayName'?: string }[]).map(
      ({ name, description, 'x-displayName': shown }) => ({
        id: name.toLowerCase().replaceAll(' ', '-'),
        title: shown ?? name,
        description,
        operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
        messages: messages.filter(({ tag }) => tag === name).map(({ message }) => message),
      }),
    );
  }

  get sharedFailures(): Definition[] {
    const { responses } = this.#document.components as { responses: Record<string, Answer> };
    return Object.values(responses).flatMap((answer) => this.#failures('', answer));
  }

  get headers(): Definition[] {
    const found = Object.values(this.#document.paths as Record<string, Record<string, Json>>)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses as Record<string, Answer>))
      .flatMap((answer) => Object.entries(this.resolve(answer).headers ?? {}));
    return Object.entries(Object.fromEntries(found)).map(([title, header]) => ({
      title,
      text: this.resolve(header).description,
    }));
  }

  resolve<T extends object>(value: T): T {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return value;
    return $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => (at as Json)[step], this.#document) as T;
  }

  #operation(method: string, path: string, operation: Json): DocumentedOperation {
    const parameters = ((operation.parameters ?? []) as Parameter[]).map((one) => this.resolve(one));
    const responses = Object.entries(operation.responses as Record<string, Answer>);
    const failed = responses.filter(([status]) => !status.startsWith('2'));
    const success = responses.find(([status]) => status.startsWith('2'))?.[1];
    const json = success?.content['application/json'] ?? {};
    const envelope = (json.schema ?? {}) as { properties?: { data?: Json } };
    return {
      id: operation.operationId as string,
      method,
      path,
      title: operation.summary as string,
      description: operation.description as string,
      parameters,
      body: this.#body(operation.requestBody as { content: { 'application/json': Json } } | undefined),
      data: envelope.properties?.data ?? {},
      example: json.example,
      failures: failed
        .filter(([, answer]) => answer.$ref === undefined)
        .flatMap(([status, answer]) => this.#failures(status, answer)),
      sharedFailures: failed.filter(([, answer]) => answer.$ref !== undefined).map(([status]) => status),
      security: (operation.security as Record<string, string[]>[]).flatMap((need) => Object.entries(need)),
      destructive: method === 'DELETE' || parameters.some(isConfirmation),
    };
  }

  #message(type: string, operation: Json): DocumentedMessage {
    const body = this.#body(operation.requestBody as { content: { 'application/json': Json } });
    return {
      id: operation.operationId as string,
      type,
      title: operation.summary as string,
      description: operation.description as string,
      headers: (operation.parameters as Parameter[]).map((one) => this.resolve(one)),
      schema: body?.schema ?? {},
      example: body?.examples[0]?.value,
    };
  }

  #body(body: { content: { 'application/json': Json } } | undefined): DocumentedOperation['body'] {
    if (body === undefined) return null;
    const { schema, examples = {} } = body.content['application/json'] as {
      schema: Json;
      examples?: Record<string, { summary: string; value: unknown }>;
    };
    return {
      schema,
      examples: Object.entries(examples).map(([name, { summary, value }]) => ({
        name,
        title: summary,
        value,
      })),
    };
  }

  #failures(status: string, { description, content }: Answer): Definition[] {
    const { examples } = content['application/json'] as { examples?: Record<string, Json> };
    if (examples === undefined) return [{ title: status, text: description }];
    return Object.values(examples).map((example) => {
      const { summary: title, description: text } = this.resolve(example) as Record<string, string>;
      return { title: title as string, text: text as string };
    });
  }
}
