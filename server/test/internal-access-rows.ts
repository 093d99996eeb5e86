import { type InternalOperationId, permissionNames } from '@classledger/contract';
import { type Identity, identities } from './internal-access-identities.ts';
import type { AccessWorld, Asked } from './internal-access-world.ts';

/**
 * Who may call what: docs/contract.md, Roles and Missing or out of range, as a table. The role table of the
 * contract is compared with it by the test, and is not where these statuses come from.
 */

type Statuses = Readonly<Record<Identity, number>>;

const statuses = (...list: [...(readonly number[] & { length: 12 })]) =>
  Object.fromEntries(identities.map((identity, index) => [identity, list[index]])) as Statuses;

// biome-ignore format: a table is read by its columns.
export const who = {
  //                     no one   super school grade class  other: grade class   foreign   student credential
  anybody:        statuses(200,  200, 200, 200, 200,  200, 200,  200, 200, 200,  200, 200),
  signedIn:       statuses(401,  200, 200, 200, 200,  200, 200,  200, 200, 200,  401, 401),
  students:       statuses(401,  401, 401, 401, 401,  401, 401,  401, 401, 401,  200, 401),
  superAdmins:    statuses(401,  200, 403, 403, 403,  403, 403,  403, 403, 403,  401, 401),
  /** A school is chosen; in it everyone sees the own range. */
  ofTheSchool:    statuses(401,  200, 200, 200, 200,  200, 200,  403, 403, 403,  401, 401),
  /** The same, but class administrators manage no one. */
  managers:       statuses(401,  200, 200, 200, 403,  200, 403,  403, 403, 403,  401, 401),
  /** What is named belongs to the school as a whole. */
  schoolAdmins:   statuses(401,  200, 200, 403, 403,  403, 403,  403, 403, 403,  401, 401),
  /** What is named is the grade, or is not for class administrators. */
  gradeAdmins:    statuses(401,  200, 200, 200, 403,  403, 403,  403, 403, 403,  401, 401),
  /** What is named is the class or something in it. */
  inRange:        statuses(401,  200, 200, 200, 200,  403, 403,  403, 403, 403,  401, 401),
  /** A filter by the grade, which the administrators of its classes see: the other class is of the same grade. */
  seeingTheGrade: statuses(401,  200, 200, 200, 200,  403, 200,  403, 403, 403,  401, 401),
} as const;

export interface Aimed {
  readonly expected: Statuses;
  /** What the call names that belongs to a school; null: nothing but, perhaps, the school itself. */
  readonly names: string | null;
  /** Made anew after each call that was answered, so that a deletion has something to delete. */
  readonly call: Asked['call'];
}

/** One operation, or another way to call it, with what each identity is answered. */
export interface Row extends Aimed {
  readonly operation: InternalOperationId;
  /** What is special about this way to call; null: nothing. */
  readonly note: string | null;
}

export const row = (expected: Statuses, names: string | null, call: Aimed['call']): Aimed => ({
  expected,
  names,
  call,
});
export const get = (path: string) => () => ({ path });
export const newPerson = (world: AccessWorld) => ({ username: world.newName(), password: 'secret-password' });
export const newCredential = (world: AccessWorld) => ({ name: world.newName(), scopes: permissionNames });
