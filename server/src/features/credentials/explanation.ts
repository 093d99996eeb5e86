import {
  type ExplainedOperation,
  type Explanation,
  type ExternalOperation,
  externalOperations,
  type ReachedRange,
} from '@classledger/contract';
import { type CredentialRights, findRefusal } from '../../access/admission.ts';
import type { Credential } from '../../access/credential.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';

export type DescribedCredential = CredentialRights & Pick<Credential, 'range' | 'school'>;

type GradeInRange = Awaited<ReturnType<typeof readStructureInRange>>[number];

export async function readStructureInRange(data: SchoolData) {
  const [grades, classes] = await Promise.all([
    data.grades().select(['g.id', 'g.name']).orderBy('g.id').execute(),
    data
      .classesUnjoined()
      .select(['c.id', 'c.name', 'c.grade_id as gradeId', 'c.student_count as studentCount'])
      .orderBy('c.id')
      .execute(),
  ]);
  const byGrade = Map.groupBy(classes, ({ gradeId }) => gradeId);
  return grades.map((grade) => ({
    ...grade,
    classes: (byGrade.get(grade.id) ?? []).map(({ id, name, studentCount }) => ({ id, name, studentCount })),
  }));
}

export function describeRange(
  credential: DescribedCredential,
  grades: readonly GradeInRange[],
): ReachedRange {
  const { scopeType, range, school } = credential;
  const classes = grades.flatMap((grade) => grade.classes);
  const studentCount = classes.reduce((sum, { studentCount: count }) => sum + count, 0);
  const grade = scopeType === 'school' ? undefined : grades[0];
  const schoolClass = scopeType === 'class' ? classes[0] : undefined;
  const students = pluralise(studentCount, 'student', 'students');
  const describe = () => {
    if (scopeType === 'school') {
      const parts = [
        pluralise(grades.length, 'grade', 'grades'),
        pluralise(classes.length, 'class', 'classes'),
      ];
      return `All of ${school?.name ?? 'the school'}: ${parts.join(', ')}, ${students}`;
    }
    if (scopeType === 'grade') {
      if (!grade) return 'Nothing: the grade was deleted';
      return `${grade.name} with ${pluralise(classes.length, 'class', 'classes')} and ${students}`;
    }
    return schoolClass
      ? `${schoolClass.name} of ${grade?.name} with ${students}`
      : 'Nothing: the class was deleted';
  };
  return {
    words: describe(),
    scopeType,
    gradeId: grade?.id ?? range.gradeId,
    gradeName: grade?.name ?? null,
    classId: range.classId,
    className: schoolClass?.name ?? null,
    gradeCount: grades.length,
    classCount: classes.length,
    studentCount,
  };
}

const pluralise = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Explains whether a credential can call an operation, by the check that the external API uses. */
export function explainOperation(
  operation: ExternalOperation,
  credential: CredentialRights,
): ExplainedOperation {
  const refusal = findRefusal(operation, credential);
  return {
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    permission: operation.permission,
    anyPermission: [...(operation.anyPermission ?? [])],
    scopeTypes: [...operation.scopeTypes],
    allowed: refusal === null,
    missing: refusal?.missing ?? 'nothing',
    reason: refusal?.error.message ?? null,
  };
}

export async function explainCredential(
  data: SchoolData,
  credential: DescribedCredential,
): Promise<Explanation> {
  return {
    range: describeRange(credential, await readStructureInRange(data)),
    operations: Object.values(externalOperations).map((operation) => explainOperation(operation, credential)),
  };
}

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
