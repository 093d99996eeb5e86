import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './error-codes.ts';
import type { Duty } from './internal/role-table.ts';
import type { Permission, ScopeType } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A body that takes one of several forms. `choose` looks only at which fields are there, so that the error
 * for a wrong value speaks of the form that was meant.
 */
export interface Forms<F extends Record<string, TObject> = Record<string, TObject>> {
  readonly forms: F;
  readonly choose: (body: Record<string, unknown>) => keyof F & string;
}

export type BodySchema = TObject | Forms;

/** What calls can be about; of each the field of an answer that holds its name, null where it has none. */
export const kinds = {
  school: 'name',
  grade: 'name',
  class: 'name',
  student: 'username',
  score: null,
  absence: null,
  pick: null,
  template: 'name',
  seat: 'username',
  team: null,
  term: 'name',
  promotion: 'name',
  announcement: 'title',
  application: 'schoolName',
  administrator: 'username',
  secondFactor: null,
  credential: 'name',
  webhook: 'host',
  signInProvider: 'name',
  import: 'name',
  activity: null,
  session: null,
} as const;
export type Kind = keyof typeof kinds;

interface Described {
  /** Unique name in camelCase; also the OpenAPI operationId. */
  readonly id: string;
  readonly method: Method;
  /** Below the door's prefix, parameters as `:name`; every parameter is an id. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * What the call names, and where its id stands: `{ student: 'path.id', class: 'body.classId' }`. From it follow the
   * answers to what is missing or out of range, the subject of the activity line, and what the documents call the id.
   */
  readonly target?: Readonly<Partial<Record<Kind, `path.${string}` | `body.${string}`>>>;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly data: TSchema;
  /** Of a PATCH: what reads show of the thing, where that is more than its answer. */
  readonly record?: TObject;
  /** Example bodies by name, and one example of `data`. */
  readonly examples: { readonly body?: Readonly<Record<string, unknown>>; readonly data: unknown };
}

/** One operation of the external API. */
export interface ExternalOperation extends Described {
  /** Null: any valid credential suffices. */
  readonly permission: Permission | null;
  /** Beside a permission of null: at least one of these, each of which shows a part of the answer. */
  readonly anyPermission?: readonly Permission[];
  /** Scope types that may call it at all; the others are answered 40303. */
  readonly scopeTypes: readonly ScopeType[];
  /** Needs confirm=true in the query. */
  readonly destructive?: true;
  /** Honours the Idempotency-Key header. */
  readonly idempotent?: true;
  /** Error codes beyond those that follow from what it takes, names and needs. */
  readonly errors?: readonly ErrorCode[];
}

/** Statuses of failures that an internal operation may have a reason of its own for. */
export type OwnFailureStatus = 404 | 409;

/** Counters of wrong passwords: at logins, and of people who are signed in and confirm something with their own. */
export type PasswordThrottle =
  | 'administratorLogins'
  | 'studentLogins'
  | 'administratorConfirmations'
  | 'studentConfirmations';

/** Which counter of attempts an operation can be refused by (429). */
export type Throttle = PasswordThrottle | 'applications';

/** One line of the activity log: what was done, and to what. */
export interface ActivityLine {
  readonly verb: 'added' | 'changed' | 'removed' | 'erased' | 'disclosed';
  /** Its id is the one that the `target` of this kind names, otherwise the one of the answer. */
  readonly subject: Kind;
}

interface InternalPart {
  /** Why it may fail, by status, beyond what follows from what it takes, names and needs. */
  readonly errors?: Readonly<Partial<Record<OwnFailureStatus, string>>>;
}

interface Reading {
  readonly method: 'GET';
  /** Kinds of things that its answer shows: when one of them changes, the answer is out of date. */
  readonly shows: readonly Kind[];
}

interface Writing {
  readonly method: Exclude<Method, 'GET'>;
  /** Kinds of things that it changes, adds or removes: whatever shows them is out of date afterwards. */
  readonly affects: readonly Kind[];
  /**
   * The counter of attempts that may refuse it. The door counts: a rule that is throttled by passwords answers with an
   * attempt, and no other rule can. `confirmPassword` and `stepUp` have the one of confirmations anyway.
   */
  readonly throttled?: Throttle;
}

/** A call that anyone may make. */
interface OfAnybody {
  readonly access: 'public';
}

/** A call that needs a student's token; it sees the student's own data and little of the classmates'. */
interface OfStudent {
  readonly access: 'student';
}

/** Which bodies need a confirmation. */
export interface StepUp {
  // biome-ignore lint/suspicious/noExplicitAny: each operation knows its own body.
  readonly when: (body: any) => boolean;
  /** The same in words: "when ...". */
  readonly told: string;
}

/** A call that needs an administrator's session. */
interface OfAdmin {
  readonly access: 'admin';
  /** The row of the role table that decides who may call it. */
  readonly duty: Duty;
  /** How `schoolDb` is taken, from the query or the body. */
  readonly school?: 'required' | 'optional';
  /**
   * Needs the administrator's password in x-confirm-password, or a confirmation of the session without a password in the
   * last ten minutes.
   */
  readonly confirmPassword?: true;
  /**
   * Widens power or deletes a school. In a session that asks for confirmations it needs one of the last ten minutes, a
   * sign-in included, or the password in x-confirm-password; always, or for some bodies.
   */
  readonly stepUp?: true | StepUp;
  /**
   * Honours the Idempotency-Key header; needs a school. `sealed`: the stored answer can be read with the session
   * that got it alone, because it holds passwords.
   */
  readonly idempotent?: 'open' | 'sealed';
}

interface Logged {
  /** The line it leaves in the activity log; null: none, as it changes nothing or the records say who did it. */
  readonly activity: ActivityLine | null;
}

/** One operation of the internal API. */
export type InternalOperation = Described &
  InternalPart &
  (((OfAnybody | OfStudent) & (Reading | Writing)) | (OfAdmin & (Reading | (Writing & Logged))));

type KeyOf<T> = T extends unknown ? keyof T : never;

type FieldOf<B> =
  B extends Forms<infer F>
    ? { [K in keyof F]: keyof F[K]['properties'] }[keyof F]
    : B extends TObject
      ? keyof B['properties']
      : never;

/** Where an operation can name something: a parameter of its own path, a field of its own body. */
type PlaceOf<O> =
  | (O extends { path: infer P extends string } ? `path.${PathParameters<P>}` : never)
  | (O extends { body: infer B } ? `body.${FieldOf<B> & string}` : never);

/** Makes a declaration that no one reads, and a target that is not there, fail to compile. */
type Exact<O, Whole> = { readonly [K in Exclude<keyof O, KeyOf<Whole>>]: never } & (O extends {
  target: infer T;
}
  ? { readonly target: { readonly [K in keyof T]: K extends Kind ? PlaceOf<O> : never } }
  : unknown);

/** Keeps the literal types of an external operation. */
export function external<const O extends ExternalOperation>(operation: O & Exact<O, ExternalOperation>): O {
  return operation;
}

/** Keeps the literal types of an internal operation. */
export function internal<const O extends InternalOperation>(operation: O & Exact<O, InternalOperation>): O {
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

/** Whether the path of an operation names something. */
export function namesInPath({ target = {} }: Pick<Described, 'target'>): boolean {
  return Object.values(target).some((place) => place.startsWith('path.'));
}

/** True for a body that has several forms. */
export function hasForms(body: BodySchema): body is Forms {
  return 'forms' in body;
}
