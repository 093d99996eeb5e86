import Type from 'typebox';
import { Explanation, exampleOperations, exampleRange } from '../explanation.ts';
import { CreatedAt, Id, is, Nullable, OneOf, ShownName, Timestamp } from '../fields.ts';
import { external } from '../operation.ts';
import { permissionNames, scopeTypes } from '../permissions.ts';

export const ping = external({
  id: 'ping',
  method: 'GET',
  path: '/ping',
  tag: 'Connectivity',
  summary: 'Check the connection and read what the credential may do',
  description:
    'Needs no permission. Call it first: it shows the school, the range and the permissions of the credential. `callCount` counts the authenticated calls answered before this one; those of the last second may be missing. With `explain=true` it also tells what the credential reaches, and which operations it may call.',
  permission: null,
  scopeTypes,
  query: Type.Object({
    explain: Type.Optional(
      is(Type.Boolean(), 'Whether to tell what the credential reaches and which operations it may call.'),
    ),
  }),
  data: Type.Object(
    {
      ok: is(Type.Boolean(), 'Always true.'),
      serverTime: is(Timestamp, 'The clock of the server.'),
      school: is(Type.Object({ id: Id, name: ShownName }), 'The school of the credential.'),
      token: is(
        Type.Object({
          name: ShownName,
          prefix: is(Type.String(), 'How the credential begins: enough to recognise it.'),
          scopeType: is(OneOf(scopeTypes), 'Whether the credential is for a school, a grade or a class.'),
          scopeGradeId: is(Nullable(Id), 'The grade of a grade credential, otherwise null.'),
          scopeClassId: is(Nullable(Id), 'The class of a class credential, otherwise null.'),
          scopes: is(Type.Array(OneOf(permissionNames)), 'The permissions of the credential.'),
          expiresAt: is(Nullable(Timestamp), 'When the credential ends; null: never.'),
          callCount: is(
            Type.Integer({ minimum: 0 }),
            'Authenticated calls so far; those of the last second may be missing.',
          ),
          createdAt: CreatedAt,
        }),
        'The credential, without its secret.',
      ),
      explanation: Type.Optional(
        is(Explanation, 'What the credential reaches and may call; with `explain=true` only.'),
      ),
    },
    { title: 'Ping' },
  ),
  examples: {
    data: {
      ok: true,
      serverTime: '2026-09-01T08:00:00.000Z',
      school: { id: 1, name: 'Riverside School' },
      token: {
        name: 'Campus card',
        prefix: 'cls_4fGh2k',
        scopeType: 'grade',
        scopeGradeId: 3,
        scopeClassId: null,
        scopes: ['students:read', 'scores:write'],
        expiresAt: null,
        callCount: 41,
        createdAt: '2026-08-20T02:11:09.412Z',
      },
      explanation: { range: exampleRange, operations: exampleOperations },
    },
  },
});
