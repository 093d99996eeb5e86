import type { UseCounts } from '../../access/use-counts.ts';
import type { Database } from '../../database/connect.ts';
import type { ExternalHandlers } from '../../http/external-door.ts';

/** The credential about itself at the external door. */
export function pingRoute(db: Database, uses: UseCounts): Pick<ExternalHandlers, 'ping'> {
  return {
    ping: async ({ credential, at }) => {
      const callCount = await uses.reading(async (pending) => {
        const { stored } = await db
          .selectFrom('api_token')
          .where('id', '=', credential.id)
          .select('call_count as stored')
          .executeTakeFirstOrThrow();
        return stored + (pending(credential.id)?.calls ?? 0);
      });
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
