const descriptions = {
  'students:read': 'List students and read one student.',
  'students:write': 'Create and change students, but not their password or email address.',
  'students:delete': 'Delete students together with their point records and seats.',
  'scores:read': 'List point records.',
  'scores:write': 'Give plus and minus points.',
  'scores:revoke': 'Revoke a point record.',
  'structure:read': 'List grades and classes, and read the seats of a class with the names of the students.',
  'structure:write': 'Create, rename and move grades and classes, and replace the seats of a class.',
  'structure:delete': 'Delete grades and classes with everything inside them.',
  'templates:read': 'List templates.',
  'templates:write': 'Create, change and delete templates.',
  'stats:read': 'Read the overview of the range.',
} as const;

export type Permission = keyof typeof descriptions;

export const permissionNames = Object.keys(descriptions) as readonly Permission[];

/** The permissions `:delete` are dangerous, because they delete objects with everything inside them. */
export const permissions = permissionNames.map((name) => ({
  name,
  dangerous: name.endsWith(':delete'),
  description: descriptions[name],
}));

export const scopeTypes = ['school', 'grade', 'class'] as const;
export type ScopeType = (typeof scopeTypes)[number];

/** From the widest to the narrowest. Only super admins can manage roles that do not come after their own. */
export const roles = ['super_admin', 'school_admin', 'grade_admin', 'class_admin', 'teacher'] as const;
export type Role = (typeof roles)[number];

/** What an administrator of a role manages. A teacher manages nothing. */
export const rangeOfRole = {
  super_admin: 'everything',
  school_admin: 'school',
  grade_admin: 'grade',
  class_admin: 'class',
  teacher: 'nothing',
} as const satisfies Readonly<Record<Role, ScopeType | 'everything' | 'nothing'>>;
