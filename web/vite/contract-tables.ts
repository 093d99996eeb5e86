import {
  type InternalOperation,
  internalOperations,
  type Kind,
  limits,
  permissions,
  rangeOfRole,
  roles,
  roleTable,
} from '@classledger/contract';
import type { Plugin } from 'vite';

const virtualId = 'virtual:contract';

/**
 * Provides `virtual:contract`: of the contract, what pages need while they run, as plain data. The schemas and
 * the library behind them stay out of the bundle; pages know them as types.
 */
export function contractTables(): Plugin {
  return {
    name: 'contract-tables',
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : null),
    load: (id) => (id === `\0${virtualId}` ? source() : null),
  };
}

function source(): string {
  const operations = Object.fromEntries(
    Object.entries(internalOperations).map(([id, { method, path, access }]) => [id, [method, path, access]]),
  );
  const kindsOf = Object.fromEntries(
    Object.entries(internalOperations).map(([id, operation]) => [id, kindsIn(operation)]),
  );
  const verbs = Object.fromEntries(
    Object.values<InternalOperation>(internalOperations).flatMap((operation) =>
      'activity' in operation && operation.activity ? [[operation.id, operation.activity.verb]] : [],
    ),
  );
  const rolesByDuty = Object.fromEntries(
    Object.entries(roleTable).map(([duty, row]) => [duty, roles.filter((role) => row[role] !== null)]),
  );
  const dangerous = permissions.filter((permission) => permission.dangerous).map(({ name }) => name);
  return Object.entries({
    operations,
    kindsOf,
    verbs,
    roles,
    rangeOfRole,
    rolesByDuty,
    limits,
    dangerousPermissions: dangerous,
  })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** What a read shows, or a write affects; whoever is logged affects the log. */
function kindsIn(operation: InternalOperation): readonly Kind[] {
  if (operation.method === 'GET') return operation.shows;
  return 'activity' in operation && operation.activity
    ? [...operation.affects, 'activity']
    : operation.affects;
}
