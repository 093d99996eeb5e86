import type { Credential } from '../../access/credential.ts';
import type { UseCounts } from '../../access/use-counts.ts';
import type { Database } from '../../database/connect.ts';

/** What a credential is told about itself. */
export async function ping(db: Database, uses: UseCounts, credential: Credential, at: Date) {
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
}
