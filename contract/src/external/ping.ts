import Type from 'typebox';
import { Credential, Explanation, exampleOperations, exampleRange } from '../credential-records.ts';
import { Id, is, Optional, ShownName, Timestamp, Titled } from '../fields.ts';
import { external } from '../operation.ts';

export const pingOperations = external('Connectivity', {
  ping: {
    route: 'GET /ping',
    summary: 'Check the connection and read what the credential may do',
    description:
      'Needs no permission. Call it first to read the school, the range and the permissions of the credential. `callCount` is the number of earlier authenticated calls, except possibly those of the last second. With `explain=true`, it also returns the range of the credential and the operations that it may call.',
    permission: null,
    query: Type.Object({
      explain: Optional(
        Type.Boolean(),
        'Whether to return the range of the credential and the operations that it may call.',
      ),
    }),
    data: Titled('Ping', {
      ok: is(Type.Boolean(), 'Always true.'),
      serverTime: is(Timestamp, 'Current time of the server.'),
      school: is(Type.Object({ id: Id, name: ShownName }), 'The school of the credential.'),
      token: is(
        Type.Pick(Credential, [
          'name',
          'prefix',
          'scopeType',
          'scopeGradeId',
          'scopeClassId',
          'scopes',
          'expiresAt',
          'callCount',
          'createdAt',
        ]),
        'The credential, without its secret.',
      ),
      explanation: Optional(
        Explanation,
        'The range of the credential and the operations that it may call. Returned only with `explain=true`.',
      ),
    }),
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
  },
});
