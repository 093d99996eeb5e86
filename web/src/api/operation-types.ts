import type { Entry, Forms, InternalOperationId, InternalOperations, Params } from '@classledger/contract';
import type { Static, TSchema } from 'typebox';

/** Types derived from the contract, so that renaming a field there breaks the pages that use it. */

export type OperationId = InternalOperationId;
type Operation<I extends OperationId> = InternalOperations[I];

export type DataOf<I extends OperationId> =
  Operation<I> extends { data: infer D extends TSchema } ? Static<D> : never;

export type ListId = {
  [I in OperationId]: DataOf<I> extends readonly unknown[] | ListedPage<unknown> ? I : never;
}[OperationId];

export type RowOf<I extends ListId> =
  DataOf<I> extends readonly (infer R)[] | ListedPage<infer R> ? R : never;

export interface ListedPage<R> {
  readonly list: readonly R[];
  readonly total: number;
  readonly limit: number;
}

/** Allows undefined for optional fields, which are then not sent. */
type AllowUndefined<T> = T extends unknown
  ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : never;

/** `schoolDb` is sent in the body if the operation has a body, otherwise in the query. */
type SchoolField<O> = O extends { school: 'required' }
  ? { schoolDb: string }
  : O extends { school: 'optional' }
    ? { schoolDb?: string | undefined }
    : Record<never, never>;

type RequestBody<B> =
  B extends Forms<infer F>
    ? { [K in keyof F]: Static<F[K]> }[keyof F]
    : B extends TSchema
      ? Static<B>
      : never;

/** Allows undefined in entries of a bulk request, because the server checks each entry. */
type RequestValue<T> = T extends unknown
  ? { [K in keyof T]: T[K] extends readonly Entry<infer E>[] ? readonly AllowUndefined<E>[] : T[K] }
  : never;

type QueryFields<O> = (O extends { query: infer Q extends TSchema }
  ? AllowUndefined<Static<Q>>
  : Record<never, never>) &
  (O extends { body: unknown } ? Record<never, never> : SchoolField<O>);

type BodyFields<O> = O extends { body: infer B }
  ? AllowUndefined<RequestValue<RequestBody<B>>> & SchoolField<O>
  : never;

type PartOf<Name extends string, Fields> = [keyof Fields] extends [never]
  ? Record<never, never>
  : Record<never, never> extends Fields
    ? { [N in Name]?: Fields }
    : { [N in Name]: Fields };

type BodyPart<O> = O extends { body: unknown } ? { body: BodyFields<O> } : Record<never, never>;
type ConfirmPart<O> = O extends { confirmPassword: true }
  ? { confirmPassword?: string | undefined }
  : Record<never, never>;
type KeyPart<O> = O extends { idempotent: string } ? { idempotencyKey?: string } : Record<never, never>;

type Simplify<T> = { [K in keyof T]: T[K] };

export type InputOf<I extends OperationId> = Simplify<
  PartOf<'params', Params<Operation<I>>> &
    PartOf<'query', QueryFields<Operation<I>>> &
    BodyPart<Operation<I>> &
    ConfirmPart<Operation<I>> &
    KeyPart<Operation<I>> & {
      /** Aborts the call. The page then cannot know whether the server received it. */
      signal?: AbortSignal;
      /** Lets the request finish after the page is closed. The call fails at once when it needs a sign-in. */
      inBackground?: boolean;
    }
>;

export type InputArguments<I extends OperationId> =
  Record<never, never> extends InputOf<I> ? [input?: InputOf<I>] : [input: InputOf<I>];
