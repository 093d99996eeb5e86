import type { Credential } from '../../access/credential.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { explainCredential } from './explanation.ts';

/** Describes the calling credential. Its call count can lack the newest calls. */
export async function ping(db: Database, credential: Credential, withExplanation: boolean, at: Date) {
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
    ...(withExplanation && {
      explanation: await explainCredential(new SchoolData(db, credential.range), credential),
    }),
  };
}
