import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Permission, permissionNames, type ScopeType, scopeTypes } from '@classledger/contract';
import { prepareDataFolder } from '@classledger/embedded-postgres';
import { SchoolData } from '../access/school-data.ts';
import { hashToken } from '../access/token.ts';
import type { Database } from '../database/connect.ts';
import { type CredentialSettings, issueCredential } from '../features/credentials/credentials.ts';

/** Plaintext tokens; a scope whose grade or class is gone has none. */
export type DemoTokens = { readonly [Scope in ScopeType]?: string };

const fileName = 'demo-credentials.json';

const everydayScopes: readonly Permission[] = [
  'students:read',
  'scores:read',
  'scores:write',
  'scores:revoke',
  'structure:read',
  'templates:read',
  'stats:read',
];

export const demoCredentials: Record<ScopeType, { name: string; scopes: readonly Permission[] }> = {
  school: { name: 'Demo: school office', scopes: permissionNames },
  grade: { name: 'Demo: grade board', scopes: everydayScopes },
  class: { name: 'Demo: seating script', scopes: everydayScopes },
};

/** Reads the tokens of an earlier start; returns nothing if the file is missing or unreadable. */
export async function readTokens(dataDir: string): Promise<DemoTokens> {
  try {
    const stored: unknown = JSON.parse(await readFile(join(dataDir, fileName), 'utf8'));
    const entries = Object.entries(stored as object).filter(
      ([scope, token]) => (scopeTypes as readonly string[]).includes(scope) && typeof token === 'string',
    );
    return Object.fromEntries(entries) as DemoTokens;
  } catch {
    return {};
  }
}

async function storeTokens(dataDir: string, tokens: DemoTokens): Promise<void> {
  const file = join(await prepareDataFolder(dataDir), fileName);
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}

export async function schoolOfTokens(db: Database, tokens: DemoTokens): Promise<number | null> {
  const hashes = Object.values(tokens).map(hashToken);
  if (hashes.length === 0) return null;
  const found = await db
    .selectFrom('api_token')
    .innerJoin('school', 'school.id', 'api_token.school_id')
    .where('token_hash', 'in', hashes)
    .select('school.id')
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Issues credentials for scopes without a usable token, and stores the tokens in a private file. */
export async function ensureTokens(
  db: Database,
  schoolId: number,
  stored: DemoTokens,
  dataDir: string,
  settings: CredentialSettings,
  now: Date,
): Promise<DemoTokens> {
  const tokens: { [Scope in ScopeType]?: string } = {};
  let changed = false;
  for (const scopeType of scopeTypes) {
    const known = stored[scopeType];
    if (known !== undefined && (await isLive(db, schoolId, known))) {
      tokens[scopeType] = known;
      continue;
    }
    const token = await issue(db, schoolId, scopeType, settings, now);
    if (token !== null) tokens[scopeType] = token;
    changed = true;
  }
  if (changed) await storeTokens(dataDir, tokens);
  return tokens;
}

async function isLive(db: Database, schoolId: number, token: string): Promise<boolean> {
  const found = await db
    .selectFrom('api_token')
    .where('token_hash', '=', hashToken(token))
    .where('school_id', '=', schoolId)
    .where('revoked_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

async function issue(
  db: Database,
  schoolId: number,
  scopeType: ScopeType,
  settings: CredentialSettings,
  now: Date,
): Promise<string | null> {
  const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
  const [grade] = await data.grades().select('g.id').orderBy('g.id').limit(1).execute();
  const [first] = await data.classesAlone().select('c.id').orderBy('c.id').limit(1).execute();
  if ((scopeType === 'grade' && !grade) || (scopeType === 'class' && !first)) return null;
  const issuer = await db
    .selectFrom('admin')
    .where('role', '=', 'super_admin')
    .where('disabled', '=', false)
    .select(['id', 'username', 'role', 'school_id as schoolId', 'grade_id as gradeId', 'class_id as classId'])
    .select('password_is_initial as mustChangePassword')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const scope = {
    scopeType,
    ...(scopeType === 'grade' ? { scopeGradeId: grade?.id } : {}),
    ...(scopeType === 'class' ? { scopeClassId: first?.id } : {}),
  };
  const { token } = await issueCredential(
    db,
    data,
    issuer,
    { ...demoCredentials[scopeType], ...scope },
    settings,
    now,
  );
  return token;
}
