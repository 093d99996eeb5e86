import type { Duty } from '@classledger/contract';
import type { FastifyRequest } from 'fastify';
import { emptyUnit, rangeForDuty } from '../access/range.ts';
import { SchoolData } from '../access/school-data.ts';
import type { SignedInAdmin } from '../access/sessions.ts';
import type { Database } from '../database/connect.ts';
import { AppError, invalidValue, notFound } from '../errors/app-error.ts';

/** Treats `schoolId` as `schoolDb`, unless the operation declares a field `schoolId`. @throws AppError invalid_value */
export function extractSchool(
  operation: { readonly school?: unknown; readonly body?: object; readonly query?: object },
  request: FastifyRequest,
  sent: unknown,
) {
  const query = request.query as Record<string, unknown>;
  if (!operation.school) return { schoolDb: undefined, query, body: sent };
  const inQuery = extractSchoolNames(query, operation.query);
  // In a read, an empty filter counts as absent.
  const fromQuery = inQuery.school === '' && request.method === 'GET' ? undefined : inQuery.school;
  let body = sent;
  let fromBody: unknown;
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) {
    const inBody = extractSchoolNames(sent, operation.body);
    fromBody = inBody.school;
    body = inBody.rest;
  }
  return { schoolDb: requireSameSchool(fromBody, fromQuery), query: inQuery.rest, body };
}

function extractSchoolNames(sent: object, fields: object | undefined) {
  const { schoolDb, ...others } = sent as Record<string, unknown>;
  if (fields && 'properties' in fields && 'schoolId' in (fields.properties as object)) {
    return { school: schoolDb ?? undefined, rest: others };
  }
  const { schoolId, ...rest } = others;
  const differ = 'schoolDb and schoolId name different schools';
  return { school: requireSameSchool(schoolDb ?? undefined, schoolId ?? undefined, differ), rest };
}

/** Returns the school that two values name. @throws AppError invalid_value when they differ */
export function requireSameSchool(
  one: unknown,
  other: unknown,
  message = 'schoolDb differs between query and body',
): unknown {
  const both = one !== undefined && other !== undefined;
  if (both && parseSchoolDb(one) !== parseSchoolDb(other)) {
    throw invalidValue(message);
  }
  return one ?? other;
}

export const resolveNoSchool = async () => null;

/** Returns the chosen school within the range of the duty, or null for all schools (docs/contract.md, Schools). */
export async function findChosenSchool(
  db: Database,
  admin: SignedInAdmin,
  duty: Duty,
  schoolDb: unknown,
): Promise<SchoolData | null> {
  if (schoolDb !== undefined) return findRequiredSchool(db, admin, duty, schoolDb);
  const range = rangeForDuty(admin, duty);
  return range === 'everything' ? null : new SchoolData(db, range ?? emptyUnit(0));
}

/** Returns the named school within the range. @throws AppError missing_parameter, not_found, out_of_range */
export async function findRequiredSchool(
  db: Database,
  admin: SignedInAdmin,
  duty: Duty,
  schoolDb: unknown,
): Promise<SchoolData> {
  if (schoolDb === undefined) throw new AppError('missing_parameter', 'schoolDb is required');
  const range = rangeForDuty(admin, duty);
  const schoolId = parseSchoolDb(schoolDb);
  const school =
    schoolId === null
      ? undefined
      : await db
          .selectFrom('school')
          .where('id', '=', schoolId)
          .select(['id', 'time_zone'])
          .executeTakeFirst();
  if (!school) throw notFound('The school');
  if (range === 'everything')
    return new SchoolData(db, { schoolId: school.id, gradeId: null, classId: null }, school.time_zone);
  if (range?.schoolId !== school.id) throw new AppError('out_of_range', 'The school is outside your range');
  return new SchoolData(db, range, school.time_zone);
}

/** Returns the id in `school_7`, `7` or 7; null for any other value. */
export function parseSchoolDb(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const digits = /^(?:school_)?([0-9]{1,15})$/.exec(String(value))?.[1];
  return digits === undefined ? null : Number(digits);
}
