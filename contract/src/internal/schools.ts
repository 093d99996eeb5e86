import Type from 'typebox';
import { BooleanOrBit, Id, Input, is, Name, Optional, ShownName } from '../fields.ts';
import { internal } from '../operation.ts';
import { School } from '../records.ts';
import { TimeZone } from '../times.ts';
import { internalPaging } from './lists.ts';

const tag = 'Schools';
const readSchools = { tag, access: 'admin', duty: 'readSchools' } as const;
const manageSchools = { tag, access: 'admin', duty: 'manageSchools' } as const;
export const listSchools = internal({
  id: 'listSchools',
  method: 'GET',
  path: '/schools',
  ...readSchools,
  summary: 'List the schools in your range',
  shows: ['school'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(School),
});

export const getSchool = internal({
  id: 'getSchool',
  method: 'GET',
  path: '/schools/:id',
  ...readSchools,
  summary: 'Read one school',
  target: { school: 'path.id' },
  shows: ['school'],
  data: School,
});

export const createSchool = internal({
  id: 'createSchool',
  method: 'POST',
  path: '/schools',
  ...manageSchools,
  summary: 'Create a school',
  affects: ['school'],
  activity: { verb: 'added', subject: 'school' },
  body: Input({
    name: Name,
    timeZone: Optional(TimeZone, 'The time zone. The default is `SCHOOL_TIME_ZONE`.'),
  }),
  data: School,
});

export const getSchoolDefaults = internal({
  id: 'getSchoolDefaults',
  method: 'GET',
  path: '/school-defaults',
  ...manageSchools,
  summary: 'Read the defaults of a new school',
  shows: [],
  data: Type.Object({ timeZone: is(TimeZone, 'The time zone from `SCHOOL_TIME_ZONE`.') }),
});

export const updateSchool = internal({
  id: 'updateSchool',
  method: 'PATCH',
  path: '/schools/:id',
  ...manageSchools,
  summary: 'Rename, disable or enable a school',
  description: 'Disabling signs everyone in the school out, and its credentials get 40301.',
  target: { school: 'path.id' },
  affects: ['school'],
  activity: { verb: 'changed', subject: 'school' },
  body: Input({
    name: Type.Optional(Name),
    disabled: Optional(
      BooleanOrBit,
      'Whether the school is disabled. A disabled school refuses all sign-ins and credentials.',
    ),
  }),
  data: School,
});

export const deleteSchool = internal({
  id: 'deleteSchool',
  method: 'DELETE',
  path: '/schools/:id',
  ...manageSchools,
  summary: 'Delete a school with all its data',
  description: 'Credentials of the school then get 40301. Its API call log is kept until it expires.',
  target: { school: 'path.id' },
  affects: [
    'school',
    'grade',
    'class',
    'student',
    'score',
    'template',
    'seat',
    'term',
    'administrator',
    'credential',
  ],
  stepUp: true,
  activity: { verb: 'removed', subject: 'school' },
  data: Type.Object({ id: Id, name: ShownName }),
});
