export const permissions = [
  { name: 'students:read', dangerous: false, description: 'List students and read one student.' },
  {
    name: 'students:write',
    dangerous: false,
    description: 'Create and change students, but not their password or email address.',
  },
  {
    name: 'students:delete',
    dangerous: true,
    description: 'Delete students together with their point records and seats.',
  },
  { name: 'scores:read', dangerous: false, description: 'List point records.' },
  { name: 'scores:write', dangerous: false, description: 'Give plus and minus points.' },
  { name: 'scores:revoke', dangerous: false, description: 'Revoke a point record.' },
  {
    name: 'structure:read',
    dangerous: false,
    description: 'List grades and classes, and read the seats of a class with the names of the students.',
  },
  {
    name: 'structure:write',
    dangerous: false,
    description: 'Create, rename and move grades and classes, and replace the seats of a class.',
  },
  {
    name: 'structure:delete',
    dangerous: true,
    description: 'Delete grades and classes with everything inside them.',
  },
  { name: 'templates:read', dangerous: false, description: 'List templates.' },
  { name: 'templates:write', dangerous: false, description: 'Create, change and delete templates.' },
  { name: 'stats:read', dangerous: false, description: 'Read the overview of the range.' },
] as const;

export type Permission = (typeof permissions)[number]['name'];

export const permissionNames: readonly Permission[] = permissions.map((permission) => permission.name);

export const scopeTypes = ['school', 'grade', 'class'] as const;
export type ScopeType = (typeof scopeTypes)[number];

/** From the widest to the narrowest. Only super admins can manage roles that do not come after their own. */
export const roles = ['super_admin', 'school_admin', 'grade_admin', 'class_admin'] as const;
export type Role = (typeof roles)[number];

export const rangeOfRole = {
  super_admin: 'everything',
  school_admin: 'school',
  grade_admin: 'grade',
  class_admin: 'class',
} as const satisfies Readonly<Record<Role, ScopeType | 'everything'>>;
