import { permissions, scopeTypes } from '@classledger/contract';
import { adminRange } from '../../access/range.ts';
import type { UseCounts } from '../../access/use-counts.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';
import type { AuditLog } from '../../http/audit-log.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import type { PasswordCheck } from '../administrators/login.ts';
import { auditPageDefault, listAuditRecords } from './audit-records.ts';
import {
  type CredentialSettings,
  changeCredential,
  issueCredential,
  listCredentials,
  readCredential,
  requireCredential,
  revokeCredential,
} from './credentials.ts';

export interface CredentialRoutesOptions {
  readonly db: Database;
  readonly audit: AuditLog;
  readonly uses: UseCounts;
  readonly passwords: PasswordCheck;
  readonly settings: CredentialSettings;
}

/** Credentials and their audit records at the internal door. */
export function credentialRoutes({
  db,
  audit,
  uses,
  passwords,
  settings,
}: CredentialRoutesOptions): Pick<
  InternalHandlers,
  | 'listCredentials'
  | 'issueCredential'
  | 'getCredentialMeta'
  | 'updateCredential'
  | 'listAuditRecords'
  | 'revokeCredential'
> {
  return {
    listCredentials: async ({ data, query, at }) => {
      return listCredentials(db, uses, data, sliceOf(query), at);
    },

    issueCredential: async ({ admin, data, body, at, ip, confirmations }) => {
      await passwords.confirm(admin, confirmations, ip);
      if (!data)
        throw new AppError('missing_parameter', 'schoolDb is required: name the school of the credential');
      return issueCredential(db, data, admin, body, settings, at);
    },

    getCredentialMeta: async ({ admin }) => {
      const range = adminRange(admin);
      const { gradeId, classId } = range && range !== 'everything' ? range : { gradeId: null, classId: null };
      return {
        // An administrator whose grade or class was deleted has nothing to issue a credential for.
        scopeTypes: scopeTypes.filter(
          (type) =>
            range !== null &&
            (type === 'class' || (classId === null && (type === 'grade' || gradeId === null))),
        ),
        permissions: [...permissions],
        // A class administrator's grade is fixed too: it is that of the class.
        fixedGradeId: gradeId ?? admin.gradeId,
        fixedClassId: classId,
        maxExpireDays: settings.maxExpireDays,
      };
    },

    updateCredential: async ({ admin, data, params, body, at }) => {
      await changeCredential(db, data, admin, params.id, body, settings, at);
      return readCredential(db, uses, params.id, at);
    },

    listAuditRecords: async ({ admin, data, query }) => {
      // Calls answered a moment ago are still on their way to the log.
      await audit.settle();
      if (query.tokenId !== undefined) await requireCredential(db, data, admin, query.tokenId, 'revoked too');
      return listAuditRecords(db, data, query, sliceOf(query, auditPageDefault));
    },

    revokeCredential: async ({ admin, data, params, at, ip, confirmations }) => {
      await passwords.confirm(admin, confirmations, ip);
      return revokeCredential(db, data, admin, params.id, at);
    },
  };
}
