import Type, { type Static } from 'typebox';
import {
  ClassId,
  Count,
  CreatedAt,
  GradeId,
  Id,
  is,
  NamedAdmin,
  Nullable,
  OneOf,
  SchoolId,
  ShownName,
  Text,
  Timestamp,
  Titled,
} from './fields.ts';
import { permissionNames, scopeTypes } from './permissions.ts';

export const credentialStatuses = [
  'enabled',
  'disabled',
  'expired',
  'issuer_disabled',
  'school_disabled',
] as const;
export type CredentialStatus = (typeof credentialStatuses)[number];

export const Credential = Titled('Credential', {
  id: Id,
  name: ShownName,
  prefix: is(Text, 'The first characters of the credential, so that you can recognise it.'),
  status: is(OneOf(credentialStatuses), 'The current status.'),
  schoolId: SchoolId,
  scopeType: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
  scopeGradeId: is(Nullable(Id), 'The grade of a grade credential, otherwise null.'),
  scopeClassId: is(Nullable(Id), 'The class of a class credential, otherwise null.'),
  scopes: is(Type.Array(OneOf(permissionNames)), 'The permissions of the credential.'),
  expiresAt: is(Nullable(Timestamp), 'When the credential expires, or null if it never expires.'),
  disabled: is(Type.Boolean(), 'Whether the credential is disabled. A disabled credential is refused.'),
  callCount: is(Count, 'Number of authenticated calls so far, except possibly those of the last second.'),
  lastUsedAt: is(Nullable(Timestamp), 'When it was last used, or null if never.'),
  lastUsedIp: is(Nullable(Text), 'The IP address that last used it, or null if never.'),
  createdAt: CreatedAt,
  createdBy: is(NamedAdmin, 'Who issued it.'),
});
export type Credential = Static<typeof Credential>;

export const AuditRecord = Titled('AuditRecord', {
  id: Id,
  requestId: is(Text, 'Request id of the call.'),
  tokenId: is(Nullable(Id), 'Id of the credential, or null if it is unknown.'),
  tokenPrefix: is(Nullable(Text), 'The first characters of the credential, or null if the call had none.'),
  schoolId: Nullable(SchoolId),
  method: is(Text, 'The method of the call.'),
  path: is(Text, 'The path of the call, without its query.'),
  statusCode: is(Type.Integer(), 'HTTP status of the response.'),
  latencyMs: is(Type.Number({ minimum: 0 }), 'Duration of the call in milliseconds.'),
  ip: is(Text, 'The address of the caller.'),
  userAgent: is(Nullable(Text), 'The user agent that the caller sent, or null if it sent none.'),
  errorMessage: is(Nullable(Text), 'The error message, or null on success.'),
  createdAt: CreatedAt,
});
export type AuditRecord = Static<typeof AuditRecord>;

export const ReachedRange = Titled('ReachedRange', {
  words: is(Text, 'A description of the range.'),
  scopeType: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
  gradeId: is(
    Nullable(GradeId),
    'The grade of the credential, or the grade of its class. Null for a school credential.',
  ),
  gradeName: is(Nullable(Text), 'Name of that grade.'),
  classId: is(Nullable(ClassId), 'The class of a class credential, otherwise null.'),
  className: is(Nullable(Text), 'Name of that class.'),
  gradeCount: is(Count, 'Number of grades in the range.'),
  classCount: is(Count, 'Number of classes in the range.'),
  studentCount: is(Count, 'Number of students in the range, including disabled ones.'),
});
export type ReachedRange = Static<typeof ReachedRange>;

const operationFields = {
  operation: is(Text, 'The `operationId` of the API document.'),
  method: is(Text, 'HTTP method.'),
  path: is(Text, 'Path below /api/v1, with `:` before its parameters.'),
  permission: is(Nullable(Text), 'The required permission, or null if `anyPermission` applies.'),
  anyPermission: is(
    Type.Array(Text),
    'If `permission` is null, the operation requires at least one of these permissions, or none if empty. Each permission returns a part of the data.',
  ),
  scopeTypes: is(
    Type.Array(OneOf(scopeTypes)),
    'The scope types of credentials that may call the operation.',
  ),
  allowed: is(Type.Boolean(), 'Whether the credential may call the operation.'),
  missing: is(
    OneOf(['nothing', 'permission', 'scopeType']),
    'What the credential lacks: nothing, the permission, or a wider range.',
  ),
  reason: is(
    Nullable(Text),
    'The error message that the operation would return, or null if the call is allowed.',
  ),
};

export const ExplainedOperation = Titled('ExplainedOperation', operationFields);
export type ExplainedOperation = Static<typeof ExplainedOperation>;

export const Explanation = Titled('Explanation', {
  range: is(ReachedRange, 'The range of the credential.'),
  operations: is(Type.Array(ExplainedOperation), 'Every operation, and whether the credential may call it.'),
});
export type Explanation = Static<typeof Explanation>;

export const SimulatedOperation = Titled('SimulatedOperation', {
  ...operationFields,
  tag: is(Text, 'The tag of the operation in the API document.'),
  tagInChinese: is(Text, 'The same in Chinese.'),
  summary: is(Text, 'A summary of the operation.'),
  summaryInChinese: is(Text, 'The same in Chinese.'),
  sample: is(
    Nullable(Text),
    'The data of a response as JSON, or null if the call is refused. For a read it is the current response, shortened. For a write it is the example of the API document.',
  ),
  real: is(Type.Boolean(), 'Whether the sample is a real response.'),
});
export type SimulatedOperation = Static<typeof SimulatedOperation>;

export const exampleRange: ReachedRange = {
  words: 'Grade 3 with 6 classes and 264 students',
  scopeType: 'grade',
  gradeId: 3,
  gradeName: 'Grade 3',
  classId: null,
  className: null,
  gradeCount: 1,
  classCount: 6,
  studentCount: 264,
};

export const exampleOperations: readonly ExplainedOperation[] = [
  {
    operation: 'listStudents',
    method: 'GET',
    path: '/students',
    permission: 'students:read',
    anyPermission: [],
    scopeTypes: ['school', 'grade', 'class'],
    allowed: true,
    missing: 'nothing',
    reason: null,
  },
  {
    operation: 'createGrade',
    method: 'POST',
    path: '/grades',
    permission: 'structure:write',
    anyPermission: [],
    scopeTypes: ['school'],
    allowed: false,
    missing: 'permission',
    reason: 'The credential lacks the permission structure:write',
  },
];
