import Type from 'typebox';
import { Id, is, Keyword } from '../fields.ts';
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
  summary: 'List who changed what and what happened to accounts, newest first',
  description: `Your own changes, sign-ins and failed sign-ins, and those of the administrators in your range. ${limits.activityDefault} unless \`limit\` is given.`,
  access: 'admin',
  duty: 'readActivity',
  school: 'optional',
  shows: ['activity'],
  query: Type.Object({
    ...internalPaging,
    adminId: Type.Optional(is(Id, 'Only what was written by this administrator.')),
    action: Type.Optional(is(Keyword, 'Only changes by this operation; its id.')),
    startDate: Type.Optional(StartDay),
    endDate: Type.Optional(EndDay),
  }),
  data: Type.Array(Activity),
});
