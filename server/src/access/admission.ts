import type { ExternalOperation } from '@classledger/contract';
import { AppError, PermissionMissingError } from '../errors/app-error.ts';
import type { Credential } from './credential.ts';

export type CredentialRights = Pick<Credential, 'permissions' | 'scopeType'>;

export type CallRequirements = Pick<ExternalOperation, 'permission' | 'anyPermission' | 'scopeTypes'>;

/** Returns why a call is refused, or null; checks the permission first (docs/contract.md, Order of checks). */
export function findRefusal(
  { permission, anyPermission, scopeTypes }: CallRequirements,
  { permissions, scopeType }: CredentialRights,
): { readonly missing: 'permission' | 'scopeType'; readonly error: AppError } | null {
  if (permission !== null && !permissions.has(permission)) {
    const error = new PermissionMissingError(`The credential lacks the permission ${permission}`, permission);
    return { missing: 'permission', error };
  }
  if (anyPermission && !anyPermission.some((one) => permissions.has(one))) {
    const needed = anyPermission.join(' or ');
    const message = `The credential may read none of this: it lacks ${needed}`;
    return { missing: 'permission', error: new PermissionMissingError(message, anyPermission.join(', ')) };
  }
  if (!scopeTypes.includes(scopeType)) {
    const error = new AppError('out_of_range', `A credential for one ${scopeType} may not do this`);
    return { missing: 'scopeType', error };
  }
  return null;
}
