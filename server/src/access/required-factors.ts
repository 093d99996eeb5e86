import { sql } from 'kysely';
import type { SignInMethod } from '../database/account-tables.ts';

/** Of a row of `admin`: whether a password is not enough. Recovery codes stand in for a factor, and are none themselves. */
export const ownsFactor = sql<boolean>`(
  EXISTS (SELECT FROM code_app WHERE code_app.admin_id = admin.id)
  OR EXISTS (SELECT FROM passkey WHERE passkey.admin_id = admin.id))`;

/**
 * Of a row of `admin`: whether the role needs a second factor and there is none (docs/contract.md, Second factor).
 */
export const lacksFactor = sql<boolean>`(
  EXISTS (SELECT FROM second_factor_role WHERE second_factor_role.role = admin.role)
  AND NOT ${ownsFactor})`;

/** Whether a sign-in proves no more than a password does. A provider asks for a second factor itself. */
export const isByPasswordAlone = (method: SignInMethod) => method === 'password' || method === 'code';
