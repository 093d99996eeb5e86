import { type DocumentedOperation, isConfirmation } from '../reference/document-reader.ts';

/** A request as other programs keep it in a collection. */
export interface CollectedRequest {
  readonly name: string;
  readonly operation: DocumentedOperation;
  readonly path: readonly { readonly name: string; readonly text: string }[];
  readonly query: readonly Part[];
  readonly headers: readonly Part[];
  /** Null: it has none. */
  readonly body: string | null;
}

interface Part {
  readonly name: string;
  readonly value: string;
  readonly text: string;
  /** Left out until somebody wants it. */
  readonly disabled: boolean;
}

/** A fresh UUID in both programs. */
const freshKey = '{{$guid}}';

/** One request for each example body of an operation, or one if it takes no body. */
export function requestsOf(operation: DocumentedOperation): CollectedRequest[] {
  const { title, parameters, body } = operation;
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const part =
    (value: (name: string) => string) =>
    (parameter: DocumentedOperation['parameters'][number]): Part => ({
      name: parameter.name,
      value: isConfirmation(parameter) ? 'true' : value(parameter.name),
      text: parameter.description,
      disabled: !parameter.required && parameter.name !== 'Idempotency-Key',
    });
  const shared = {
    operation,
    path: of('path').map(({ name, description }) => ({ name, text: description })),
    query: of('query').map(part(() => '')),
    headers: of('header').map(part((name) => (name === 'Idempotency-Key' ? freshKey : ''))),
  };
  if (body === null) return [{ ...shared, name: title, body: null }];
  return body.examples.map((example) => ({
    ...shared,
    name: body.examples.length === 1 ? title : `${title} (${example.title})`,
    body: JSON.stringify(example.value, null, 2),
  }));
}
