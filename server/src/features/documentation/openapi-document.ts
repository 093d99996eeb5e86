import type { Json } from './openapi-schemas.ts';

/* The parts of OpenAPI documents that our pages and tests read. */

export interface Referable {
  readonly $ref?: string;
}

interface Content {
  readonly content: {
    readonly 'application/json': {
      readonly schema: Json;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, Example>>;
    };
  };
}

interface Example extends Referable {
  readonly summary: string;
  readonly description: string;
  readonly value: unknown;
}

export interface Parameter extends Referable {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
}

export interface Response extends Referable, Content {
  readonly description: string;
  readonly headers: Readonly<Record<string, Referable & { readonly description: string }>>;
}

export interface Message {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody: Content;
}

export interface Operation extends Omit<Message, 'requestBody'> {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Response>>;
  /** A call needs one of these schemes with its permissions or roles; empty for a public call. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface OpenApiDocument {
  readonly info: Readonly<Record<'title' | 'version' | 'summary' | 'description', string>>;
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
    readonly 'x-displayName'?: string;
  }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Message }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Json>>;
  };
}
