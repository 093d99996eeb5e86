import type { Data, InternalOperations } from '@classledger/contract';
import type { Database } from '../../database/connect.ts';

type Choices = Data<InternalOperations['listSignInChoices']>;

const none: Choices = { providers: [], askForSchool: false, localSignIn: true };

/** Returns only the buttons' data, because school codes can be guessed. @param schoolId null: none named; 0: unknown */
export async function listSignInChoices(
  db: Database,
  audience: 'administrators' | 'students',
  schoolId: number | null,
): Promise<Choices> {
  const students = audience === 'students';
  let found = db
    .selectFrom('sign_in_provider as p')
    .innerJoin('school', 'school.id', 'p.school_id')
    .where('p.enabled', '=', true)
    .where('school.disabled', '=', false)
    .where(students ? 'p.for_students' : 'p.for_administrators', '=', true);
  if (schoolId === null) {
    const schools = await found.select('p.school_id as id').distinct().limit(2).execute();
    const [only] = schools;
    if (!only) return none;
    if (schools.length > 1) return { ...none, askForSchool: true };
    found = found.where('p.school_id', '=', only.id);
  } else {
    found = found.where('p.school_id', '=', schoolId);
  }
  const rows = await found
    .select(['p.id', 'p.name', 'school.id as schoolId'])
    .select(
      students ? 'school.local_sign_in_students as local' : 'school.local_sign_in_administrators as local',
    )
    .orderBy('p.id')
    .execute();
  return {
    providers: rows.map(({ id, name, schoolId: school }) => ({ id, name, schoolDb: `school_${school}` })),
    askForSchool: false,
    localSignIn: rows[0]?.local ?? true,
  };
}
