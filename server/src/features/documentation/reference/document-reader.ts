import type { OpenApiDocument, Operation, Parameter, Referable, Response } from '../openapi-document.ts';
import type { Json } from '../openapi-schemas.ts';

/** An error or a header with its meaning. */
export interface Definition {
  readonly title: string;
  readonly text: string;
}

/** An operation with its place; its parameters are resolved. */
export type DocumentedOperation = Operation & {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
};

export type DocumentedMessage = DocumentReader['chapters'][number]['messages'][number];

/** Returns whether the caller confirms a deletion with this parameter. */
export const isConfirmation = ({ schema }: Parameter): boolean => schema.const === 'true';

/** Returns the examples of a body; one with several forms has one for each. */
export const bodyExamplesOf = ({ requestBody }: Pick<Operation, 'requestBody'>) =>
  Object.values(requestBody?.content['application/json'].examples ?? {});

/** Returns the schema of `data` in the answer of a call that succeeds. */
export function dataSchemaOf({ responses }: Operation): Json {
  const { properties = {} } = responses[200]?.content['application/json'].schema ?? {};
  return (properties as { data?: Json }).data ?? {};
}

export class DocumentReader {
  readonly root: OpenApiDocument;

  constructor(root: OpenApiDocument) {
    this.root = root;
  }

  get prefix(): string {
    return new URL(this.root.servers[0].url, 'https://origin.invalid').pathname;
  }

  /** Returns true for a bearer token, false for the session cookie of a browser. */
  isToken(scheme: string): boolean {
    return this.root.components.securitySchemes[scheme]?.type === 'http';
  }

  get chapters() {
    const { paths, webhooks = {}, tags } = this.root;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]): DocumentedOperation => ({
          ...this.#withParameters(operation),
          method: method.toUpperCase(),
          path,
        }),
      ),
    );
    const messages = Object.entries(webhooks).map(([type, { post }]) => ({
      ...this.#withParameters(post),
      type,
    }));
    return tags.map(({ name, description, 'x-displayName': title = name }) => ({
      id: name.toLowerCase().replaceAll(' ', '-'),
      title,
      description,
      operations: operations.filter((operation) => operation.tags[0] === name),
      messages: messages.filter((message) => message.tags[0] === name),
    }));
  }

  get sharedFailures(): Definition[] {
    return Object.values(this.root.components.responses).flatMap((response) => this.failuresOf('', response));
  }

  get headers(): Definition[] {
    const found = Object.values(this.root.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => Object.entries(this.resolve(response).headers));
    return Object.entries(Object.fromEntries(found)).map(([title, header]) => ({
      title,
      text: this.resolve(header).description,
    }));
  }

  failuresOf(status: string, { description, content }: Response): Definition[] {
    const { examples } = content['application/json'];
    if (examples === undefined) return [{ title: status, text: description }];
    return Object.values(examples).map((example) => {
      const { summary: title, description: text } = this.resolve(example);
      return { title, text };
    });
  }

  /** Returns the part to which a reference points, or the value itself if it is no reference. */
  resolve<T extends object>(value: T & Referable): T {
    const steps = value.$ref?.slice(2).split('/');
    return steps ? (steps.reduce<unknown>((at, step) => (at as Json)[step], this.root) as T) : value;
  }

  #withParameters<T extends Pick<Operation, 'parameters'>>(operation: T) {
    return { ...operation, parameters: (operation.parameters ?? []).map((one) => this.resolve(one)) };
  }
}
