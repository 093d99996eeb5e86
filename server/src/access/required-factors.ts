import { sql } from 'kysely';
import type { SignInMethod } from '../database/account-tables.ts';

/** Selects whether a row of `admin` has a second factor. Recovery codes replace a factor but do not count as one. */
export const ownsFactor = sql<boolean>`(
  EXISTS (SELECT FROM code_app WHERE code_app.admin_id = admin.id)
  OR EXISTS (SELECT FROM passkey WHERE passkey.admin_id = admin.id))`;

/** Selects whether a row of `admin` lacks the second factor that its role needs (docs/contract.md, Second factor). */
export const lacksFactor = sql<boolean>`(
  EXISTS (SELECT FROM second_factor_role WHERE second_factor_role.role = admin.role)
  AND NOT ${ownsFactor})`;

/** Returns whether a sign-in proved only a password or a code. A provider checks second factors itself. */
export const isByPasswordAlone = (method: SignInMethod) => method === 'password' || method === 'code';
