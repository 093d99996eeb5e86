import {
  administratorEvents,
  type InternalOperation,
  internalOperations,
  limits,
  permissions,
  type ResourceKind,
  rangeOfRole,
  roles,
  roleTable,
} from '@classledger/contract';
import type { TObject } from 'typebox';
import type { Plugin } from 'vite';

/**
 * Provides the contract as plain tables in virtual modules, so that the bundle contains no schemas. In the mode `student`,
 * leaves out the administrators' operations.
 */
export function contractTables(): Plugin {
  let isForStudents = false;
  return {
    name: 'contract-tables',
    configResolved: ({ mode }) => {
      isForStudents = mode === 'student';
    },
    resolveId: (id) => (id in tables ? `\0${id}` : null),
    load: (id) => tables[id.slice(1)]?.(isForStudents) ?? null,
  };
}

const tables: Readonly<Record<string, (isForStudents: boolean) => string>> = {
  'virtual:contract': (isForStudents) => moduleSource({ operations: operationTable(isForStudents), limits }),
  'virtual:admin-contract': () => moduleSource(adminTables()),
  'virtual:form-contract': () => moduleSource({ formBounds: formBounds() }),
};

function moduleSource(exported: Readonly<Record<string, unknown>>): string {
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

function operationTable(isForStudents: boolean) {
  return Object.fromEntries(
    Object.entries(internalOperations)
      .filter(([, { access }]) => !isForStudents || access !== 'admin')
      .map(([id, { method, path, access }]) => [id, [method, path, access]]),
  );
}

function adminTables() {
  const kindsOf = Object.fromEntries(
    Object.entries(internalOperations).map(([id, operation]) => [id, dataKindsOf(operation)]),
  );
  const verbs = Object.fromEntries(
    Object.values<InternalOperation>(internalOperations).flatMap((operation) =>
      'activity' in operation && operation.activity ? [[operation.id, operation.activity.verb]] : [],
    ),
  );
  const loggedActions = [...Object.keys(verbs), ...administratorEvents];
  const rolesByDuty = Object.fromEntries(
    Object.entries(roleTable).map(([duty, row]) => [duty, roles.filter((role) => row[role] !== null)]),
  );
  const dangerousPermissions = permissions
    .filter((permission) => permission.dangerous)
    .map(({ name }) => name);
  return { kindsOf, verbs, loggedActions, roles, rangeOfRole, rolesByDuty, dangerousPermissions };
}

/** Returns the kinds of data that a read shows or a write affects. A logged write also affects the activity log. */
function dataKindsOf(operation: InternalOperation): readonly ResourceKind[] {
  if (operation.method === 'GET') return operation.shows;
  return 'activity' in operation && operation.activity
    ? [...operation.affects, 'activity']
    : operation.affects;
}

/** Returns the fields of each body that must be filled, are limited in length, or are trimmed. */
function formBounds() {
  return Object.fromEntries(
    Object.values<InternalOperation>(internalOperations).flatMap(({ id, body }) =>
      body === undefined || 'forms' in body ? [] : [[id, boundsOf(body)] as const],
    ),
  );
}

function boundsOf({ properties, required }: TObject) {
  const mandatory: readonly string[] = required ?? [];
  return Object.fromEntries(
    Object.entries(properties as Record<string, StringSchema>).flatMap(([field, schema]) => {
      const bounds = {
        ...(mandatory.includes(field) && { required: true }),
        ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
        ...(schema['x-trim'] && { trim: true }),
      };
      return Object.keys(bounds).length === 0 ? [] : [[field, bounds] as const];
    }),
  );
}

interface StringSchema {
  readonly maxLength?: number;
  readonly 'x-trim'?: boolean;
}
