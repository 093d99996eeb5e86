import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Permission, permissionNames, type ScopeType, scopeTypes } from '@classledger/contract';
import { prepareDataFolder } from '@classledger/embedded-postgres';
import { SchoolData } from '../access/school-data.ts';
import { hashToken } from '../access/token.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { issueCredential } from '../features/credentials/credentials.ts';

/** Plaintext tokens; only that of the school if all classes are gone. */
export type DemoTokens = { [Scope in ScopeType]?: string };

const fileName = 'demo-credentials.json';
const everydayScopes = permissionNames.filter((name) => /:read$|^scores:/.test(name));

export const demoCredentials: Record<
  ScopeType,
  { name: string; range: string; scopes: readonly Permission[] }
> = {
  school: { name: 'Demo: school office', range: 'whole school', scopes: permissionNames },
  grade: { name: 'Demo: grade board', range: 'first grade', scopes: everydayScopes },
  class: { name: 'Demo: seating script', range: 'first class', scopes: everydayScopes },
};

/** Reads the tokens of an earlier start; returns none if the file is missing or incomplete. */
export async function readTokens(dataDir: string): Promise<DemoTokens> {
  try {
    return JSON.parse(await readFile(join(dataDir, fileName), 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/** Finds the school of the tokens. `areUsable` is true if the database has all of them and none is revoked. */
export async function findSchoolOf(
  db: Database,
  tokens: DemoTokens,
): Promise<{ id: number; areUsable: boolean } | undefined> {
  const hashes = Object.values(tokens).map(hashToken);
  if (hashes.length === 0) return undefined;
  const found = await db
    .selectFrom('api_token')
    .innerJoin('school', 'school.id', 'api_token.school_id')
    .where('token_hash', 'in', hashes)
    .select(['school.id', 'revoked_at'])
    .execute();
  const usable = found.filter(({ revoked_at }) => revoked_at === null);
  return found[0] && { id: found[0].id, areUsable: usable.length === hashes.length };
}

/** Issues a credential for each scope type, and stores the tokens in a private file. */
export async function issueTokens(
  db: Database,
  schoolId: number,
  { dataDir, tokenPrefix, tokenMaxExpireDays: maxExpireDays }: Config,
  now: Date,
): Promise<DemoTokens> {
  const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
  const [firstClass] = await data
    .classesUnjoined()
    .select(['c.id', 'c.grade_id as gradeId'])
    .orderBy('c.id')
    .limit(1)
    .execute();
  const issuer = await db
    .selectFrom('admin')
    .where('role', '=', 'super_admin')
    .where('disabled', '=', false)
    .select(['id', 'username', 'role', 'school_id as schoolId', 'grade_id as gradeId', 'class_id as classId'])
    .select('password_is_initial as mustChangePassword')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const call = { admin: issuer, data, at: now };
  const settings = { tokenPrefix, maxExpireDays };
  const tokens: DemoTokens = {};
  for (const scopeType of firstClass ? scopeTypes : (['school'] as const)) {
    const { name, scopes } = demoCredentials[scopeType];
    const scopeGradeId = scopeType === 'grade' && firstClass ? firstClass.gradeId : null;
    const scopeClassId = scopeType === 'class' && firstClass ? firstClass.id : null;
    const credential = { name, scopes: [...scopes], scopeType, scopeGradeId, scopeClassId };
    tokens[scopeType] = (await issueCredential({ db, settings }, call, credential)).token;
  }
  const file = join(await prepareDataFolder(dataDir), fileName);
  await writeFile(file, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
  return tokens;
}
