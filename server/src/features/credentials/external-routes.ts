import type { Database } from '../../database/connect.ts';
import type { AuditLog } from '../../http/audit-log.ts';
import type { ExternalHandlers } from '../../http/external-door.ts';

/** The credential about itself at the external door. */
export function pingRoute(db: Database, audit: AuditLog): Pick<ExternalHandlers, 'ping'> {
  return {
    ping: async ({ credential, at }) => {
      // Calls answered a moment ago are still on their way to the counter.
      await audit.flush();
      const { callCount } = await db
        .selectFrom('api_token')
        .where('id', '=', credential.id)
        .select('call_count as callCount')
        .executeTakeFirstOrThrow();
      const { name, prefix, scopeType, range, scopes, expiresAt, createdAt } = credential;
      return {
        ok: true,
        serverTime: at.toISOString(),
        school: credential.school as { id: number; name: string },
        token: {
          name,
          prefix,
          scopeType,
          scopeGradeId: range.gradeId,
          scopeClassId: range.classId,
          scopes: [...scopes],
          expiresAt,
          callCount,
          createdAt,
        },
      };
    },
  };
}
