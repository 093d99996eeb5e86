import Type from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from '../fields.ts';
import { external } from '../operation.ts';
import { permissionNames, scopeTypes } from '../permissions.ts';

export const ping = external({
  id: 'ping',
  method: 'GET',
  path: '/ping',
  tag: 'Connectivity',
  summary: 'Check the connection and read what the credential may do',
  description:
    'Needs no permission. Call it first: it shows the school, the range and the permissions of the credential. `callCount` counts the authenticated calls answered before this one.',
  permission: null,
  scopeTypes,
  data: Type.Object(
    {
      ok: Type.Boolean(),
      serverTime: Timestamp,
      school: Type.Object({ id: Id, name: Type.String() }),
      token: Type.Object({
        name: Type.String(),
        prefix: Type.String(),
        scopeType: OneOf(scopeTypes),
        scopeGradeId: Nullable(Id),
        scopeClassId: Nullable(Id),
        scopes: Type.Array(OneOf(permissionNames)),
        expiresAt: Nullable(Timestamp),
        callCount: Type.Integer({ minimum: 0 }),
        createdAt: Timestamp,
      }),
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
        scopeType: 'school',
        scopeGradeId: null,
        scopeClassId: null,
        scopes: ['students:read', 'scores:write'],
        expiresAt: null,
        callCount: 41,
        createdAt: '2026-08-20T02:11:09.412Z',
      },
    },
  },
});
