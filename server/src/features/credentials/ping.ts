import type { Credential } from '../../access/credential.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { explain } from './explanation.ts';

/**
 * Returns what a credential can learn about itself. The newest calls may not be counted yet.
 * @param explained whether to include its range and operations
 */
export async function ping(db: Database, credential: Credential, explained: boolean, at: Date) {
  const found = await db
    .selectFrom('api_token')
    .where('id', '=', credential.id)
    .select('call_count as callCount')
    .executeTakeFirst();
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
      callCount: found?.callCount ?? 0,
      createdAt,
    },
    ...(explained && { explanation: await explain(new SchoolData(db, credential.range), credential) }),
  };
}
