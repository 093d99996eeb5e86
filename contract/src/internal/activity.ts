import Type from 'typebox';
import { Id, Keyword, Optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { EndDay, StartDay } from '../times.ts';
import { internalPaging } from './lists.ts';
import { Activity } from './records.ts';

export const listActivity = internal({
  id: 'listActivity',
  method: 'GET',
  path: '/admin/activity',
  tag: 'Administrators',
  summary: 'List the changes and sign-ins of administrators, newest first',
  description: `Returns changes, sign-ins and failed sign-ins of yourself and of the administrators in your range. The default \`limit\` is ${limits.activityDefault}.`,
  access: 'admin',
  duty: 'readActivity',
  school: 'optional',
  shows: ['activity'],
  query: Type.Object({
    ...internalPaging,
    adminId: Optional(Id, 'Only entries of this administrator.'),
    action: Optional(Keyword, 'Only changes by the operation with this id.'),
    startDate: Type.Optional(StartDay),
    endDate: Type.Optional(EndDay),
  }),
  data: Type.Array(Activity),
});
