declare module 'virtual:contract' {
  import type { InternalOperationId, limits as Limits, Method } from '@classledger/contract';

  /** Method, path and access of each internal operation, by its id. */
  export const operations: Readonly<
    Record<
      InternalOperationId,
      readonly [method: Method, path: string, access: 'public' | 'admin' | 'student']
    >
  >;
  export const limits: typeof Limits;
}

declare module 'virtual:admin-contract' {
  import type {
    ActivityLine,
    Duty,
    InternalOperationId,
    LoggedAction,
    Permission,
    rangeOfRole as RangeOfRole,
    ResourceKind,
    Role,
    roles as Roles,
  } from '@classledger/contract';

  /** The kinds of data that an operation reads or changes. */
  export const kindsOf: Readonly<Record<InternalOperationId, readonly ResourceKind[]>>;
  export const verbs: Readonly<Partial<Record<string, ActivityLine['verb']>>>;
  /** Operations and account events that the activity log contains. */
  export const loggedActions: readonly LoggedAction[];
  export const roles: typeof Roles;
  export const rangeOfRole: typeof RangeOfRole;
  export const rolesByDuty: Readonly<Record<Duty, readonly Role[]>>;
  export const dangerousPermissions: readonly Permission[];
}

declare module 'virtual:form-contract' {
  import type { InternalOperationId } from '@classledger/contract';

  export interface FieldBounds {
    readonly required?: true;
    readonly maxLength?: number;
    /** True when the server removes white space around the value. */
    readonly trim?: true;
  }

  /** Bounds of the fields in each operation's body. Leaves out operations that accept several forms of body. */
  export const formBounds: Readonly<
    Partial<Record<InternalOperationId, Readonly<Partial<Record<string, FieldBounds>>>>>
  >;
}
