import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './error-codes.ts';
import type { Duty } from './internal/role-table.ts';
import { type Permission, type ScopeType, scopeTypes } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `choose` looks only at which fields are present, so that an error message refers to the intended form. */
export interface Forms<F extends Record<string, TObject> = Record<string, TObject>> {
  readonly forms: F;
  readonly choose: (body: Record<string, unknown>) => keyof F & string;
}

export type BodySchema = TObject | Forms;

export const resourceKinds = {
  school: 'name',
  grade: 'name',
  class: 'name',
  student: 'username',
  score: null,
  absence: null,
  pick: null,
  template: 'name',
  category: 'name',
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
export type ResourceKind = keyof typeof resourceKinds;

interface Declaration {
  /** Method and path. The path is below the API's prefix; each parameter, as `:name`, is an id. */
  readonly route: `${Method} /${string}`;
  readonly summary: string;
  readonly description?: string;
  /** Where the call names its targets. The server checks their range, and stores the subject in the activity log. */
  readonly target?: Readonly<Partial<Record<ResourceKind, `path.${string}` | `body.${string}`>>>;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly data: TSchema;
  /** The record that reads show, for a PATCH whose answer has fewer fields. */
  readonly record?: TObject;
}

interface ExternalDeclaration extends Declaration {
  /** Null: any valid credential suffices. */
  readonly permission: Permission | null;
  /** With a null `permission`, at least one of these is required. Each shows a part of the answer. */
  readonly anyPermission?: readonly Permission[];
  /** Credentials of other scope types get 40303. Default: all scope types. */
  readonly scopeTypes?: readonly ScopeType[];
  /** Requires `confirm=true` in the query. */
  readonly destructive?: true;
  readonly idempotent?: true;
  readonly errors?: readonly ErrorCode[];
  /** `derive-example.ts` makes the examples of internal operations. */
  readonly examples: { readonly body?: Readonly<Record<string, unknown>>; readonly data: unknown };
}

interface Scoped {
  readonly scopeTypes: readonly ScopeType[];
}

export type ExternalOperation = Operation<ExternalDeclaration> & Scoped;

export type OwnFailureStatus = 404 | 409;

export type PasswordThrottle =
  | 'administratorLogins'
  | 'studentLogins'
  | 'administratorConfirmations'
  | 'studentConfirmations';

export type Throttle = PasswordThrottle | 'applications';

export interface ActivityLine {
  readonly verb: 'added' | 'changed' | 'removed' | 'erased' | 'disclosed';
  /** The line's id comes from the `target` of this kind, otherwise from the answer. */
  readonly subject: ResourceKind;
}

interface OwnErrors {
  readonly errors?: Readonly<Partial<Record<OwnFailureStatus, string>>>;
}

interface ReadOperation {
  readonly route: `GET /${string}`;
  /** Kinds that the answer shows; a change of one makes a cached answer stale. */
  readonly shows: readonly ResourceKind[];
  /** The answer holds secrets, so it is never compressed. */
  readonly secret?: true;
}

interface WriteOperation {
  readonly route: `${Exclude<Method, 'GET'>} /${string}`;
  /** Kinds that the call changes, adds or removes; cached answers that show them become stale. */
  readonly affects: readonly ResourceKind[];
  /** The throttle of the call. `confirmPassword` and `stepUp` use that of confirmations even without this field. */
  readonly throttled?: Throttle;
}

interface PublicOperation {
  readonly access: 'public';
}

interface StudentOperation {
  readonly access: 'student';
}

export interface StepUp {
  // biome-ignore lint/suspicious/noExplicitAny: each operation knows its own body.
  readonly when: (body: any) => boolean;
  /** The condition in words, beginning with "when". */
  readonly condition: string;
}

interface AdminOperation {
  readonly access: 'admin';
  readonly duty: Duty;
  readonly school?: 'required' | 'optional';
  /** Requires the password in x-confirm-password, or a confirmation without a password within ten minutes. */
  readonly confirmPassword?: true;
  /** Requires a confirmation within ten minutes (a sign-in counts) or x-confirm-password; `true` for every body. */
  readonly stepUp?: true | StepUp;
  /** Honours idempotency keys. `sealed`: answers hold passwords, and only the session that got one gets it again. */
  readonly idempotent?: 'open' | 'sealed';
}

interface LoggedOperation {
  /** Null: the call changes nothing, or the records themselves name the author. */
  readonly activity: ActivityLine | null;
}

type AdminCall = ReadOperation | (WriteOperation & LoggedOperation);
type InternalDeclaration = Declaration &
  OwnErrors &
  (((PublicOperation | StudentOperation) & (ReadOperation | WriteOperation)) | (AdminOperation & AdminCall));

type SharedByDuty = 'access' | 'duty' | 'school';
type DutyDeclaration = Declaration & OwnErrors & Omit<AdminOperation, SharedByDuty> & AdminCall;

export type InternalOperation = Operation<InternalDeclaration>;

type KeyOf<T> = T extends unknown ? keyof T : never;

type FieldOf<B> =
  B extends Forms<infer F>
    ? { [K in keyof F]: keyof F[K]['properties'] }[keyof F]
    : B extends TObject
      ? keyof B['properties']
      : never;

type IdPlace<O> =
  | (O extends { route: infer R extends string } ? `path.${PathParameters<R>}` : never)
  | (O extends { body: infer B } ? `body.${FieldOf<B> & string}` : never);

/** Makes an unknown field and a target that does not exist fail to compile. */
type Exact<O, Whole> = { readonly [K in Exclude<keyof O, KeyOf<Whole>>]: never } & (O extends {
  target: infer T;
}
  ? { readonly target: { readonly [K in keyof T]: K extends ResourceKind ? IdPlace<O> : never } }
  : unknown);

type Declarations<D> = Readonly<Record<string, D>>;
type AllExact<O, Whole> = { readonly [I in keyof O]: Exact<O[I], Whole> };
type Operation<D, Id = string> = D extends { route: `${infer M extends Method} ${infer P}` }
  ? Omit<D, 'route'> & { readonly id: Id; readonly method: M; readonly path: P; readonly tag: string }
  : never;
type Operations<O, Common = unknown> = { readonly [Id in keyof O]: Operation<O[Id], Id> & Common };

/** Declares operations of the external API by id. @param tag names their chapter in the API document */
export function external<const O extends Declarations<ExternalDeclaration>>(
  tag: string,
  declarations: O & AllExact<O, ExternalDeclaration>,
): Operations<O, Scoped> {
  return toOperations(declarations, { tag, scopeTypes });
}

/** Declares operations of the internal API by id. @param tag names their chapter in the API document */
export function internal<const O extends Declarations<InternalDeclaration>>(
  tag: string,
  declarations: O & AllExact<O, InternalDeclaration>,
): Operations<O> {
  return toOperations(declarations, { tag });
}

/** Declares internal operations that administrators with the duty `duty` use in one school. */
export function dutyInSchool<const D extends Duty, const O extends Declarations<DutyDeclaration>>(
  tag: string,
  duty: D,
  declarations: O & AllExact<O, DutyDeclaration>,
): Operations<O, { readonly access: 'admin'; readonly duty: D; readonly school: 'required' }> {
  return toOperations(declarations, { tag, access: 'admin', duty, school: 'required' });
}

function toOperations<O extends Declarations<Declaration>, Common>(
  declarations: O,
  common: object,
): Operations<O, Common> {
  const operations = Object.entries(declarations).map(([id, { route, ...declared }]) => {
    const [method, path] = route.split(' ');
    return [id, { id, method, path, ...common, ...declared }];
  });
  return Object.fromEntries(operations);
}

type PathParameters<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameters<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export type Params<O extends { path: string }> = Readonly<Record<PathParameters<O['path']>, number>>;

export type Query<O> = O extends { query: infer Q extends TSchema } ? Static<Q> : Record<string, never>;

/** The body that a handler receives. A body with several forms is tagged with the form's name. */
export type Body<O> = O extends { body: infer B }
  ? B extends Forms<infer F>
    ? { [K in keyof F]: { form: K } & Static<F[K]> }[keyof F]
    : B extends TSchema
      ? Static<B>
      : never
  : undefined;

export type Data<O extends { data: TSchema }> = Static<O['data']>;

export function hasTargetInPath({ target = {} }: Pick<Declaration, 'target'>): boolean {
  return Object.values(target).some((place) => place.startsWith('path.'));
}

export function hasForms(body: BodySchema): body is Forms {
  return 'forms' in body;
}
