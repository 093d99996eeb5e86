declare module 'virtual:contract' {
  import type { InternalOperationId, limits as Limits, Method } from '@classledger/contract';

  /** Method, path and access of each internal operation, by its id. */
  export const operations: Readonly<
    Record<
      InternalOperationId,
      readonly [method: Method, path: string, access: 'public' | 'admin' | 'student']
    >
  >;
  /** Limits of the wire contract, for fields that check before the server does. */
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

  /** The kinds of data that a read shows or a write affects. */
  export const kindsOf: Readonly<Record<InternalOperationId, readonly Kind[]>>;
  export const verbs: Readonly<Partial<Record<string, ActivityLine['verb']>>>;
  /** From the widest to the narrowest. */
  export const roles: typeof Roles;
  /** The part of a school that a role is responsible for. */
  export const rangeOfRole: typeof RangeOfRole;
  export const rolesByDuty: Readonly<Record<Duty, readonly Role[]>>;
  /** Permissions of credentials that delete data. */
  export const dangerousPermissions: readonly Permission[];
}
