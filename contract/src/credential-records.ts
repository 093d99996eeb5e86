import Type, { type Static } from 'typebox';
import {
  Count,
  CreatedAt,
  Id,
  is,
  NamedAdmin,
  Nullable,
  OneOf,
  SchoolId,
  ShownName,
  Text,
  Timestamp,
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

export const Credential = Type.Object(
  {
    id: Id,
    name: ShownName,
    prefix: is(Text, 'The first characters of the credential, so that you can recognise it.'),
    status: is(OneOf(credentialStatuses), 'The state that it is in.'),
    schoolId: SchoolId,
    scopeType: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
    scopeGradeId: is(Nullable(Id), 'The grade of a grade credential, otherwise null.'),
    scopeClassId: is(Nullable(Id), 'The class of a class credential, otherwise null.'),
    scopes: is(Type.Array(OneOf(permissionNames)), 'The permissions of the credential.'),
    expiresAt: is(Nullable(Timestamp), 'When the credential expires, or null if it never expires.'),
    disabled: is(Type.Boolean(), 'Whether it is disabled; a disabled credential is refused.'),
    callCount: is(Count, 'Number of authenticated calls so far, except possibly those of the last second.'),
    lastUsedAt: is(Nullable(Timestamp), 'When it was last used; null: never.'),
    lastUsedIp: is(Nullable(Text), 'The address from which it was last used; null: never.'),
    createdAt: CreatedAt,
    createdBy: is(NamedAdmin, 'Who issued it.'),
  },
  { title: 'Credential' },
);
export type Credential = Static<typeof Credential>;

export const AuditRecord = Type.Object(
  {
    id: Id,
    requestId: is(Text, 'Names the call.'),
    tokenId: is(Nullable(Id), 'Id of the credential; null without a known one.'),
    tokenPrefix: is(Nullable(Text), 'How the credential began; null without one.'),
    schoolId: Nullable(SchoolId),
    method: is(Text, 'The method of the call.'),
    path: is(Text, 'The path of the call, without its query.'),
    statusCode: is(Type.Integer(), 'The status of the answer.'),
    latencyMs: is(Type.Number({ minimum: 0 }), 'How long the answer took, in milliseconds.'),
    ip: is(Text, 'The address of the caller.'),
    userAgent: is(Nullable(Text), 'What the caller says it is; null: nothing.'),
    errorMessage: is(Nullable(Text), 'The message of a failure; null on success.'),
    createdAt: CreatedAt,
  },
  { title: 'AuditRecord' },
);
export type AuditRecord = Static<typeof AuditRecord>;
