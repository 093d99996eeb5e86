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
