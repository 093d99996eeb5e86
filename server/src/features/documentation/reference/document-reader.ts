import type { Json } from '../openapi-schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
}

export interface Example {
  /** As the contract calls it. */
  readonly name: string;
  readonly title: string;
  readonly value: unknown;
}

/** A failure that an operation can be answered with. */
export interface Failure {
  /** Its code and name, or its status. */
  readonly title: string;
  readonly text: string;
}

export interface DocumentedOperation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** Below the prefix of the door, parameters in braces. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Json; readonly examples: readonly Example[] } | null;
  /** What is in `data` of a success, and a whole answer. */
  readonly data: Json;
  readonly example: unknown;
  readonly failures: readonly Failure[];
  /** Statuses whose failures every operation of the door shares. */
  readonly sharedFailures: readonly string[];
  /** The schemes of which one is needed, with the permissions or roles; empty: nobody is asked who calls. */
  readonly security: readonly (readonly [scheme: string, roles: readonly string[]])[];
  /** It deletes what nobody can bring back. */
  readonly destructive: boolean;
}

/** A message that webhooks are sent. */
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
  /** The same in every language. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
  readonly messages: readonly DocumentedMessage[];
}

/** The parameter by which whoever calls says that data may be deleted. */
export const isConfirmation = ({ schema }: Parameter): boolean => schema.const === 'true';

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content: { readonly 'application/json': Json };
}

/** Reads one of our OpenAPI documents: references are followed, what belongs together stands together. */
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

  /** Below which address the paths are, without the origin. */
  get prefix(): string {
    const [server] = this.#document.servers as { url: string }[];
    return new URL(server?.url ?? '', 'https://origin.invalid').pathname;
  }

  /** Whether a scheme is a text that callers send along, and not a session of the browser. */
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

  /** The failures that every call may be answered with. */
  get sharedFailures(): Failure[] {
    const { responses } = this.#document.components as { responses: Record<string, Answer> };
    return Object.values(responses).flatMap((answer) => this.#failures('', answer));
  }

  /** Headers that answers have, by name. */
  get headers(): (readonly [name: string, description: string])[] {
    const answers = Object.values(this.#document.paths as Record<string, Record<string, Json>>)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses as Record<string, Answer>));
    const found = new Map<string, string>();
    for (const answer of answers) {
      for (const [name, header] of Object.entries(this.resolved(answer).headers ?? {})) {
        found.set(name, this.resolved(header).description);
      }
    }
    return [...found];
  }

  /** What a reference leads to, or the value itself. */
  resolved<T extends object>(value: T): T {
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) return value;
    return $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => (at as Json)[step], this.#document) as T;
  }

  #operation(method: string, path: string, operation: Json): DocumentedOperation {
    const parameters = ((operation.parameters ?? []) as Parameter[]).map((one) => this.resolved(one));
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
      headers: (operation.parameters as Parameter[]).map((one) => this.resolved(one)),
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

  /** One for each of its examples; an answer without them is one failure. */
  #failures(status: string, { description, content }: Answer): Failure[] {
    const { examples } = content['application/json'] as { examples?: Record<string, Json> };
    if (examples === undefined) return [{ title: status, text: description }];
    return Object.values(examples).map((example) => {
      const { summary, description: text } = this.resolved(example) as {
        summary: string;
        description: string;
      };
      return { title: summary, text };
    });
  }
}
