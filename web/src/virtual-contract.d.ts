declare module 'virtual:contract' {
  import type { InternalOperationId, limits as Limits, Method } from '@classledger/contract';

  /** Method, path and access of every internal operation, by its id. */
  export const operations: Readonly<
    Record<
      InternalOperationId,
      readonly [method: Method, path: string, access: 'public' | 'admin' | 'student']
    >
  >;
  /** Bounds of the wire contract, for fields that should say so before the server does. */
  export const limits: typeof Limits;
}

declare module 'virtual:admin-contract' {
  import type {
    ActivityLine,
    Duty,
    InternalOperationId,
    Kind,
    Permission,
    rangeOfRole as RangeOfRole,
    Role,
    roles as Roles,
  } from '@classledger/contract';

  /** What every read shows, and every write affects. */
  export const kindsOf: Readonly<Record<InternalOperationId, readonly Kind[]>>;
  /** What every change in the activity log did. */
  export const verbs: Readonly<Partial<Record<string, ActivityLine['verb']>>>;
  /** From the widest to the narrowest. */
  export const roles: typeof Roles;
  /** What an administrator of a role is responsible for. */
  export const rangeOfRole: typeof RangeOfRole;
  /** Which roles may do what at all (the contract's role table). */
  export const rolesByDuty: Readonly<Record<Duty, readonly Role[]>>;
  /** Permissions of credentials that delete data. */
  export const dangerousPermissions: readonly Permission[];
}
