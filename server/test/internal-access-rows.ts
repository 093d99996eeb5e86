import { type InternalOperationId, permissionNames } from '@classledger/contract';
import { type Identity, identities } from './internal-access-identities.ts';
import type { AccessCall, AccessWorld } from './internal-access-world.ts';

type Statuses = Readonly<Record<Identity, number>>;

const statuses = (...list: [...(readonly number[] & { length: 10 })]) =>
  Object.fromEntries(identities.map((identity, index) => [identity, list[index]])) as Statuses;

/** The allowed calls by identity, without the role table (docs/contract.md, Roles and Missing or out of range). */
// biome-ignore format: a table is read by its columns.
export const who = {
  //                     no one   super school grade class  other: grade class   foreign   student credential
  anybody:        statuses(200,  200, 200, 200, 200,  200, 200,  200,  200, 200),
  signedIn:       statuses(401,  200, 200, 200, 200,  200, 200,  200,  401, 401),
  students:       statuses(401,  401, 401, 401, 401,  401, 401,  401,  200, 401),
  superAdmins:    statuses(401,  200, 403, 403, 403,  403, 403,  403,  401, 401),
  /** A school is chosen; everyone sees their own range in it. */
  ofTheSchool:    statuses(401,  200, 200, 200, 200,  200, 200,  403,  401, 401),
  /** The same, but class administrators manage nobody. */
  managers:       statuses(401,  200, 200, 200, 403,  200, 403,  403,  401, 401),
  /** The target belongs to the school as a whole. */
  schoolAdmins:   statuses(401,  200, 200, 403, 403,  403, 403,  403,  401, 401),
  /** The target is the grade, or class administrators may not call it. */
  gradeAdmins:    statuses(401,  200, 200, 200, 403,  403, 403,  403,  401, 401),
  /** The target is the class or something in it. */
  inRange:        statuses(401,  200, 200, 200, 200,  403, 403,  403,  401, 401),
  /** A filter by grade, which administrators of any class in the grade may use. */
  seeingTheGrade: statuses(401,  200, 200, 200, 200,  403, 200,  403,  401, 401),
} as const;

export interface ExpectedAccess extends Omit<AccessCall, 'operation'> {
  readonly expected: Statuses;
}

export interface Row extends ExpectedAccess {
  readonly operation: InternalOperationId;
  readonly note: string | null;
}

export const row = (
  expected: Statuses,
  names: AccessCall['names'] = null,
  call: AccessCall['call'] = () => ({}),
): ExpectedAccess => ({ expected, names, call });

export const newPerson = (world: AccessWorld) => ({ username: world.newName(), password: 'secret-password' });
export const newCredential = (world: AccessWorld) => ({ name: world.newName(), scopes: permissionNames });
