import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from './fields.ts';
import { permissionNames, roles, scopeTypes } from './permissions.ts';

const Score = Type.Integer();
const Count = Type.Integer({ minimum: 0 });
const Flag = Type.Boolean();
const Text = Type.String();

/** A score record with the student that it belongs to and where that student is today. */
export const ScoreRecord = Type.Object(
  {
    id: Id,
    userId: Id,
    username: Text,
    actualName: Text,
    classId: Id,
    className: Text,
    gradeId: Id,
    gradeName: Text,
    scoreChange: Type.Integer({ description: 'Negative for a deduction.' }),
    description: Text,
    createdAt: Timestamp,
  },
  { title: 'ScoreRecord' },
);
export type ScoreRecord = Static<typeof ScoreRecord>;

const studentFields = {
  id: Id,
  username: Text,
  actualName: Text,
  classId: Id,
  className: Text,
  gradeId: Id,
  gradeName: Text,
  disabled: Flag,
  totalScore: Score,
  addScore: Score,
  deductScore: Type.Integer({ maximum: 0, description: 'Zero or negative.' }),
  scoreCount: Count,
  createdAt: Timestamp,
};

export const Student = Type.Object(studentFields, { title: 'Student' });
export type Student = Static<typeof Student>;

export const StudentDetail = Type.Object(
  {
    ...studentFields,
    emailBound: Flag,
    emailBoundAt: Nullable(Timestamp),
    recentScores: Type.Array(ScoreRecord, { description: 'The newest ten records.' }),
  },
  { title: 'StudentDetail' },
);
export type StudentDetail = Static<typeof StudentDetail>;

/** What creating or changing a student answers. */
export const StudentIdentity = Type.Object(
  { id: Id, username: Text, actualName: Text, classId: Id, disabled: Flag, createdAt: Timestamp },
  { title: 'StudentIdentity' },
);
export type StudentIdentity = Static<typeof StudentIdentity>;

export const Grade = Type.Object(
  { id: Id, name: Text, schoolId: Id, createdAt: Timestamp },
  { title: 'Grade' },
);
export type Grade = Static<typeof Grade>;

export const Class = Type.Object(
  { id: Id, name: Text, gradeId: Id, gradeName: Text, schoolId: Id, createdAt: Timestamp },
  { title: 'Class' },
);
export type Class = Static<typeof Class>;

export const Template = Type.Object(
  {
    id: Id,
    classId: Nullable(Id),
    global: Type.Boolean({ description: 'True for a school-wide template.' }),
    name: Text,
    scoreChange: Type.Integer(),
    description: Text,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Template' },
);
export type Template = Static<typeof Template>;

const outcome = {
  index: Type.Integer({ minimum: 0, description: 'Position of the entry in the request, from 0.' }),
  success: Flag,
  code: Type.Integer({ description: '0 on success, otherwise an error code.' }),
  reason: Nullable(Type.String({ description: 'Why the entry failed.' })),
};

/** Answer of a bulk request: what happened to each entry, in the order of the request. */
function BulkResult<T extends Parameters<typeof Type.Object>[0]>(title: string, fields: T) {
  return Type.Object(
    {
      successCount: Count,
      failedCount: Count,
      totalCount: Count,
      details: Type.Array(Type.Object({ ...outcome, ...fields })),
    },
    { title },
  );
}

export const BulkStudents = BulkResult('BulkStudents', {
  username: Nullable(Text),
  id: Nullable(Id),
  initialPassword: Type.Optional(Type.String({ description: 'Shown once, only when it was generated.' })),
});
export type BulkStudents = Static<typeof BulkStudents>;

export const BulkScores = BulkResult('BulkScores', {
  userId: Nullable(Id),
  username: Nullable(Text),
  scoreChange: Nullable(Type.Integer()),
  logId: Nullable(Type.Integer({ minimum: 1, description: 'Id of the written score record.' })),
});
export type BulkScores = Static<typeof BulkScores>;

export const Overview = Type.Object(
  {
    scope: Type.Object({ type: OneOf(scopeTypes), gradeId: Nullable(Id), classId: Nullable(Id) }),
    range: Type.Object({ startDate: Nullable(Timestamp), endDate: Nullable(Timestamp) }),
    structure: Type.Object({
      gradeCount: Count,
      classCount: Count,
      studentCount: Type.Integer({ minimum: 0, description: 'Disabled students included.' }),
      disabledStudentCount: Count,
    }),
    scores: Type.Object({
      totalScore: Score,
      addScore: Score,
      deductScore: Score,
      recordCount: Count,
      todayRecordCount: Type.Integer({ minimum: 0, description: 'Records of the current UTC day.' }),
    }),
    topStudents: Type.Array(
      Type.Object({
        rank: Type.Integer({ minimum: 1 }),
        id: Id,
        username: Text,
        actualName: Text,
        classId: Id,
        className: Text,
        totalScore: Score,
        scoreCount: Count,
      }),
    ),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;

/** An administrator as itself and its login see it. */
export const AdminIdentity = Type.Object(
  {
    id: Id,
    username: Text,
    role: OneOf(roles),
    schoolId: Nullable(Id),
    gradeId: Nullable(Id),
    classId: Nullable(Id),
  },
  { title: 'AdminIdentity' },
);
export type AdminIdentity = Static<typeof AdminIdentity>;

export const School = Type.Object(
  {
    id: Id,
    schoolDb: Type.String({ description: 'The school code.', examples: ['school_7'] }),
    name: Text,
    disabled: Type.Integer({ minimum: 0, maximum: 1 }),
    createdAt: Timestamp,
  },
  { title: 'School' },
);
export type School = Static<typeof School>;

export const credentialStatuses = [
  'enabled',
  'disabled',
  'expired',
  'issuer_disabled',
  'school_disabled',
] as const;
export type CredentialStatus = (typeof credentialStatuses)[number];

/** A credential as administrators see it; never its plaintext, never its hash. */
export const Credential = Type.Object(
  {
    id: Id,
    name: Text,
    prefix: Text,
    status: OneOf(credentialStatuses),
    schoolId: Id,
    scopeType: OneOf(scopeTypes),
    scopeGradeId: Nullable(Id),
    scopeClassId: Nullable(Id),
    scopes: Type.Array(OneOf(permissionNames)),
    expiresAt: Nullable(Timestamp),
    disabled: Flag,
    callCount: Count,
    lastUsedAt: Nullable(Timestamp),
    lastUsedIp: Nullable(Text),
    createdAt: Timestamp,
    createdBy: Type.Object({ id: Id, username: Text }),
  },
  { title: 'Credential' },
);
export type Credential = Static<typeof Credential>;

export const AuditRecord = Type.Object(
  {
    id: Id,
    requestId: Text,
    tokenId: Nullable(Id),
    tokenPrefix: Nullable(Text),
    schoolId: Nullable(Id),
    method: Text,
    path: Text,
    statusCode: Type.Integer(),
    latencyMs: Type.Number({ minimum: 0 }),
    ip: Text,
    userAgent: Nullable(Text),
    errorMessage: Nullable(Text),
    createdAt: Timestamp,
  },
  { title: 'AuditRecord' },
);
export type AuditRecord = Static<typeof AuditRecord>;
