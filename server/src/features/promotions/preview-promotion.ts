import { dayAt, type PromotionPreview } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';
import { countTeaching } from '../administrators/teaching.ts';
import { type CheckedPlan, checkPlan, fingerprintOf, type Move, type Plan, proposePlan } from './plan.ts';
import { readStructure } from './school-structure.ts';

export async function previewPromotion(
  db: Database,
  data: SchoolData,
  plan: Plan | undefined,
  at: Date,
): Promise<PromotionPreview> {
  const structure = await readStructure(data);
  const year = Number(dayAt(await data.timeZone(), at.getTime()).slice(0, 4));
  const checked = checkPlan(structure, plan ?? proposePlan(structure, year));
  const { moves, graduatedGradeName, problems } = checked;
  return {
    fingerprint: fingerprintOf(structure),
    graduatedGradeName,
    classes: moves.map(({ found, from, to, name }) => ({
      classId: found.id,
      className: found.name,
      gradeId: from.id,
      gradeName: from.name,
      toGradeId: to?.id ?? null,
      toGradeName: to?.name ?? graduatedGradeName,
      name,
      students: found.students,
      records: found.records,
    })),
    teaching: await countTeaching(
      data,
      moves.filter(({ to }) => to !== null).map(({ found }) => found.id),
    ),
    problems: [...problems],
    ...(await readAffected(db, data, checked)),
  };
}

/** Reads the administrators, credentials and providers that the plan affects. None of them blocks the promotion. */
async function readAffected(db: Database, data: SchoolData, { moves }: CheckedPlan) {
  const { schoolId } = data;
  const heads = await db
    .selectFrom('admin')
    .where('school_id', '=', schoolId)
    .where('role', '=', 'grade_admin')
    .where('grade_id', 'is not', null)
    .select(['id', 'username', 'grade_id as gradeId'])
    .orderBy('id')
    .$narrowType<{ gradeId: number }>()
    .execute();
  const graduating = moves.filter(({ to }) => to === null).map(({ found }) => found.id);
  const signInProviders = await data
    .wholeSchool()
    .classesUnjoined()
    .innerJoin('sign_in_provider as p', (join) =>
      join.onRef('p.school_id', '=', 'c.school_id').onRef('p.create_students_in', '=', 'c.id'),
    )
    .where('c.id', '=', anyOf(graduating))
    .select(['p.id', 'p.name', 'c.name as className'])
    .orderBy('p.id')
    .execute();
  return { heads, credentials: await readAffectedCredentials(db, schoolId, moves), signInProviders };
}

/** Reads credentials that stay with their grade, and those that stop because a head of grade loses the class. */
async function readAffectedCredentials(db: Database, schoolId: number, moves: readonly Move[]) {
  const found = await db
    .selectFrom('api_token as k')
    .leftJoin('admin as issuer', 'issuer.id', 'k.issuer_id')
    .where('k.school_id', '=', schoolId)
    .where('k.scope_type', '<>', 'school')
    .where('k.revoked_at', 'is', null)
    .where('k.disabled', '=', false)
    .select(['k.id', 'k.name', 'k.scope_grade_id as gradeId', 'k.scope_class_id as classId'])
    .select(['issuer.role', 'issuer.grade_id as issuerGradeId'])
    .orderBy('k.id')
    .execute();
  const moveOf = new Map(moves.map((move) => [move.found.id, move]));
  return found.flatMap((credential): PromotionPreview['credentials'] => {
    const { id, name, gradeId, classId, role, issuerGradeId } = credential;
    if (gradeId !== null) return [{ id, name, gradeId, className: null, effect: 'stays' }];
    const move = classId === null ? undefined : moveOf.get(classId);
    if (!move || role !== 'grade_admin' || issuerGradeId !== move.from.id || move.to?.id === issuerGradeId)
      return [];
    return [{ id, name, gradeId: null, className: move.found.name, effect: 'stops' }];
  });
}
