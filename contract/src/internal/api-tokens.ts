import Type from 'typebox';
import {
  AuditRecord,
  Credential,
  credentialStatuses,
  ReachedRange,
  SimulatedOperation,
} from '../credential-records.ts';
import {
  anyText,
  Count,
  Id,
  Input,
  is,
  Name,
  Nullable,
  OneOf,
  Optional,
  ShownName,
  Titled,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { permissionNames, scopeTypes } from '../permissions.ts';
import { Instant } from '../times.ts';
import { internalPaging } from './lists.ts';

const manageCredentials = { access: 'admin', duty: 'manageCredentials', school: 'optional' } as const;
const Named = { id: Id, name: ShownName };
const Scopes = Type.Array(OneOf(permissionNames), { minItems: 1, maxItems: 100 });
/** Whole days from now; null for no expiry. The maximum is a setting, which the server checks. */
const ExpiresInDays = Nullable(Type.Integer({ minimum: 1 }));

const Simulation = Titled('Simulation', {
  range: is(ReachedRange, 'The range of the credential.'),
  grades: is(
    Type.Array(
      Type.Object({
        ...Named,
        classes: is(
          Type.Array(
            Type.Object({
              ...Named,
              studentCount: is(Count, 'Number of students, disabled ones included.'),
            }),
          ),
          'The classes of the grade in the range.',
        ),
      }),
    ),
    'The grades and classes in the range.',
  ),
  operations: is(
    Type.Array(SimulatedOperation),
    'Every operation of the external API, and whether the credential may call it.',
  ),
});

export const credentialOperations = internal('Credentials', {
  listCredentials: {
    route: 'GET /api-tokens',
    ...manageCredentials,
    summary: 'List the credentials in your range, newest first',
    shows: ['credential', 'administrator', 'school'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(Credential),
  },

  issueCredential: {
    route: 'POST /api-tokens',
    ...manageCredentials,
    summary: 'Issue a credential and return its secret once',
    description:
      'If a super administrator sends no school, the server takes the school of the grade or class. For a school credential, it takes the only school.',
    confirmPassword: true,
    target: { grade: 'body.scopeGradeId', class: 'body.scopeClassId' },
    affects: ['credential'],
    activity: { verb: 'added', subject: 'credential' },
    body: Input({
      name: Name,
      scopeType: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
      scopeGradeId: Optional(Nullable(Id), 'The grade of a grade credential, otherwise null.'),
      scopeClassId: Optional(Nullable(Id), 'The class of a class credential, otherwise null.'),
      scopes: is(Scopes, 'The permissions of the credential.'),
      expiresInDays: Optional(ExpiresInDays, 'Whole days from now. Null or omitted means no expiry.'),
    }),
    data: Type.Object({
      ...Credential.properties,
      token: is(Type.String(), 'The secret itself. It is returned only once.'),
    }),
  },

  getCredentialMeta: {
    route: 'GET /api-tokens/meta',
    summary: 'Read the choices for a new credential',
    access: 'admin',
    duty: 'manageCredentials',
    shows: ['administrator'],
    data: Type.Object({
      scopeTypes: is(
        Type.Array(OneOf(scopeTypes)),
        'Whether a credential may be for a school, a grade or a class.',
      ),
      permissions: Type.Array(
        Type.Object({
          name: is(OneOf(permissionNames), 'Name of the permission.'),
          dangerous: is(Type.Boolean(), 'Whether the permission is dangerous, because it deletes data.'),
          description: is(Type.String(), 'The operations that the permission allows.'),
        }),
        { description: 'The permissions of credentials.' },
      ),
      fixedGradeId: is(Nullable(Id), 'The only grade that a head of grade can choose, otherwise null.'),
      fixedClassId: is(Nullable(Id), 'The only class that a class teacher can choose, otherwise null.'),
      maxExpireDays: is(Type.Integer(), 'The longest validity that may be chosen.'),
    }),
  },

  simulateCredential: {
    route: 'GET /api-tokens/simulation',
    ...manageCredentials,
    school: 'required',
    summary: 'Preview the access of a credential before you issue it',
    description:
      'The scope must be one for which you may issue a credential. Reads follow the rules for the credential. The server writes, counts and logs nothing.',
    shows: ['grade', 'class', 'student', 'score', 'template', 'seat'],
    query: Type.Object({
      scopeType: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
      scopeGradeId: Optional(Id, 'The grade of a grade credential.'),
      scopeClassId: Optional(Id, 'The class of a class credential.'),
      scopes: Optional(
        Type.String({ maxLength: 500, ...anyText }),
        'Permissions, separated by commas. The default is none.',
      ),
    }),
    data: Simulation,
  },

  simulateIssuedCredential: {
    route: 'GET /api-tokens/:id/simulation',
    ...manageCredentials,
    summary: 'Preview the current access of an issued credential',
    description:
      'The preview ignores whether the credential is disabled or expired. The server writes, counts and logs nothing.',
    target: { credential: 'path.id' },
    shows: ['credential', 'grade', 'class', 'student', 'score', 'template', 'seat'],
    data: Simulation,
  },

  updateCredential: {
    route: 'PATCH /api-tokens/:id',
    ...manageCredentials,
    summary: 'Change the name, permissions or expiry of a credential; disable or enable it',
    description:
      'The scope cannot change. `expiresAt` and `status` are alternatives to `expiresInDays` and `disabled`. If you send both, they must agree.',
    target: { credential: 'path.id' },
    affects: ['credential'],
    stepUp: {
      when: ({ scopes, expiresInDays, expiresAt, disabled, status }) =>
        scopes !== undefined ||
        expiresInDays !== undefined ||
        expiresAt !== undefined ||
        disabled === false ||
        (status !== undefined && status !== 'disabled'),
      condition: 'when it changes permissions or expiry, or enables the credential',
    },
    activity: { verb: 'changed', subject: 'credential' },
    body: Input({
      name: Type.Optional(Name),
      scopes: Optional(Scopes, 'The permissions of the credential.'),
      expiresInDays: Optional(ExpiresInDays, 'Whole days from now. Null or omitted means no expiry.'),
      expiresAt: Optional(
        Nullable(Instant),
        'When the credential expires, within the longest validity, or null if never.',
      ),
      disabled: Optional(
        Type.Boolean(),
        'Whether the credential is disabled. A disabled credential is refused.',
      ),
      status: Optional(
        OneOf(credentialStatuses),
        '`enabled` or `disabled`. Another status is accepted only if it is the current one.',
      ),
    }),
    data: Credential,
  },

  listAuditRecords: {
    route: 'GET /api-tokens/logs',
    ...manageCredentials,
    summary: 'List the calls made with the credentials in your range, newest first',
    shows: [],
    query: Type.Object({
      ...internalPaging,
      tokenId: Optional(Id, 'Only entries of this credential.'),
      method: Optional(Type.String({ maxLength: 20, ...anyText }), 'Only calls with this method.'),
      statusCode: Optional(
        Type.Integer({ minimum: 100, maximum: 599 }),
        'Only calls that returned this status.',
      ),
      onlyFailed: Optional(Type.Boolean(), 'Only calls that failed.'),
    }),
    data: Type.Object({
      list: is(Type.Array(AuditRecord), 'The entries of this page.'),
      total: is(Count, 'Number of matching entries on all pages.'),
      page: is(Type.Integer({ minimum: 1 }), 'Number of this page, starting at 1.'),
      limit: is(Type.Integer({ minimum: 1 }), 'Number of entries on a full page.'),
    }),
  },

  revokeCredential: {
    route: 'DELETE /api-tokens/:id',
    ...manageCredentials,
    summary: 'Revoke a credential permanently',
    confirmPassword: true,
    target: { credential: 'path.id' },
    affects: ['credential'],
    activity: { verb: 'removed', subject: 'credential' },
    data: Type.Object({ id: Id, name: ShownName }),
  },
});
