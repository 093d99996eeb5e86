import type { Entry, Forms, InternalOperationId, InternalOperations, Params } from '@classledger/contract';
import type { Static, TSchema } from 'typebox';

/** What a call of one operation takes and answers, read off the contract: a field renamed there breaks its users. */

export type OperationId = InternalOperationId;
type Operation<I extends OperationId> = InternalOperations[I];

/** What an operation answers. */
export type DataOf<I extends OperationId> =
  Operation<I> extends { data: infer D extends TSchema } ? Static<D> : never;

/** Operations that answer a list. */
export type ListId = {
  [I in OperationId]: DataOf<I> extends readonly unknown[] | ListedPage<unknown> ? I : never;
}[OperationId];

/** One entry of a list. */
export type RowOf<I extends ListId> =
  DataOf<I> extends readonly (infer R)[] | ListedPage<infer R> ? R : never;

/** How one list is answered: the total beside its entries. */
export interface ListedPage<R> {
  readonly list: readonly R[];
  readonly total: number;
  readonly limit: number;
}

/** Optional fields may be given as undefined: they are left out then. */
type Lenient<T> = T extends unknown
  ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : never;

/** The school that an operation is about travels in the body where there is one, otherwise in the query. */
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

/** Entries of a bulk request are sent as they are; the server alone reads each with its fault. */
type Sent<T> = T extends unknown
  ? { [K in keyof T]: T[K] extends readonly Entry<infer E>[] ? readonly Lenient<E>[] : T[K] }
  : never;

type QueryFields<O> = (O extends { query: infer Q extends TSchema }
  ? Lenient<Static<Q>>
  : Record<never, never>) &
  (O extends { body: unknown } ? Record<never, never> : SchoolField<O>);

type BodyFields<O> = O extends { body: infer B } ? Lenient<Sent<RequestBody<B>>> & SchoolField<O> : never;

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

type Flat<T> = { [K in keyof T]: T[K] };

/** Everything that a call of an operation takes. */
export type InputOf<I extends OperationId> = Flat<
  PartOf<'params', Params<Operation<I>>> &
    PartOf<'query', QueryFields<Operation<I>>> &
    BodyPart<Operation<I>> &
    ConfirmPart<Operation<I>> &
    KeyPart<Operation<I>> & {
      /** Ends the call; no one knows then whether it arrived. */
      signal?: AbortSignal;
      /**
       * It arrives even when the page is closed meanwhile. And it waits for no one: where the session has ended, the
       * person is asked to sign in again, but the call fails at once.
       */
      inBackground?: boolean;
    }
>;

/** The input as a parameter, which may be left out where nothing in it is needed. */
export type InputArguments<I extends OperationId> =
  Record<never, never> extends InputOf<I> ? [input?: InputOf<I>] : [input: InputOf<I>];
