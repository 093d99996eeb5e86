import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './error-codes.ts';
import type { Duty } from './internal/role-table.ts';
import type { Permission, ScopeType } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * A body that takes one of several forms. `choose` looks only at which fields are there, so that the error
 * for a wrong value speaks of the form that was meant.
 */
export interface Forms<F extends Record<string, TObject> = Record<string, TObject>> {
  readonly forms: F;
  readonly choose: (body: Record<string, unknown>) => keyof F & string;
}

export type BodySchema = TObject | Forms;

interface Described {
  /** Unique name in camelCase; also the OpenAPI operationId. */
  readonly id: string;
  readonly method: Method;
  /** Below the door's prefix, parameters as `:name`; every parameter is an id. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly data: TSchema;
  /** Example bodies by name, and one example of `data`. */
  readonly examples: { readonly body?: Readonly<Record<string, unknown>>; readonly data: unknown };
}

/** One operation of the external API. */
export interface ExternalOperation extends Described {
  /** Null: any valid credential suffices. */
  readonly permission: Permission | null;
  /** Scope types that may call it at all; the others are answered 40303. */
  readonly scopeTypes: readonly ScopeType[];
  /** Needs confirm=true in the query. */
  readonly destructive?: true;
  /** Honours the Idempotency-Key header. */
  readonly idempotent?: true;
  /** Error codes beyond those that every operation of its kind can answer. */
  readonly errors: readonly ErrorCode[];
}

/** One operation of the internal API that anybody may call. */
interface PublicOperation extends Described {
  readonly access: 'public';
}

/** One that needs a student's token; it sees the student's own data and little of the classmates'. */
interface StudentOperation extends Described {
  readonly access: 'student';
}

/** One that needs an administrator's session. */
interface AdminOperation extends Described {
  readonly access: 'admin';
  /** The row of the role table that decides who may call it. */
  readonly duty: Duty;
  /** How `schoolDb` is taken, from the query or the body. */
  readonly school?: 'required' | 'optional';
  /** Needs the administrator's password in x-confirm-password. */
  readonly confirmPassword?: true;
  /**
   * Honours the Idempotency-Key header; needs a school. `sealed`: the stored answer can be read with the session
   * that got it alone, because it holds passwords.
   */
  readonly idempotent?: 'open' | 'sealed';
  /** Leaves nothing in the activity log: it changes nothing, or the records themselves say who did it. */
  readonly unlogged?: true;
}

/** One operation of the internal API. */
export type InternalOperation = PublicOperation | StudentOperation | AdminOperation;

/** Keeps the literal types of an external operation. */
export function external<const O extends ExternalOperation>(operation: O): O {
  return operation;
}

/** Keeps the literal types of an internal operation. */
export function internal<const O extends InternalOperation>(operation: O): O {
  return operation;
}

type PathParameters<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameters<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export type Params<O extends { path: string }> = Readonly<Record<PathParameters<O['path']>, number>>;

export type Query<O> = O extends { query: infer Q extends TSchema } ? Static<Q> : Record<string, never>;

/** The body that a handler receives; for a body of several forms, tagged with the form's name. */
export type Body<O> = O extends { body: infer B }
  ? B extends Forms<infer F>
    ? { [K in keyof F]: { form: K } & Static<F[K]> }[keyof F]
    : B extends TSchema
      ? Static<B>
      : never
  : undefined;

export type Data<O extends { data: TSchema }> = Static<O['data']>;

/** True for a body that has several forms. */
export function hasForms(body: BodySchema): body is Forms {
  return 'forms' in body;
}
