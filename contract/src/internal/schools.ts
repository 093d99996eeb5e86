import Type, { type Static } from 'typebox';
import {
  BooleanOrBit,
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
import { limits } from '../limits.ts';
import { dutyInSchool, internal } from '../operation.ts';
import { School, SwitchedOffTools } from '../records.ts';
import { TimeZone } from '../times.ts';
import { internalPaging } from './lists.ts';

const readSchools = { access: 'admin', duty: 'readSchools' } as const;
const manageSchools = { access: 'admin', duty: 'manageSchools' } as const;

/** From the least visible data to the most. */
export const classmatesChoices = ['names', 'front', 'all'] as const;

const Classmates = OneOf(classmatesChoices, {
  description:
    'The data of classmates that students see. `names` shows only names. `front` also shows ranks and points of the top half. `all` shows ranks and points of everyone.',
});

const PointGivers = OneOf(['never', 'plus', 'always'], {
  description: 'On which of their records students see the name of the person who gave the points.',
});

const EraseLeaversAfterDays = Type.Integer({
  minimum: limits.eraseLeaversAfterDaysMin,
  maximum: limits.eraseLeaversAfterDaysMax,
  description: 'Days from disabling a student to erasing the personal data, or null to keep it.',
});

export const SchoolSettings = Titled('SchoolSettings', {
  id: is(Id, 'Id of the school.'),
  name: ShownName,
  classmates: Classmates,
  pointGivers: PointGivers,
  eraseLeaversAfterDays: Nullable(EraseLeaversAfterDays),
  switchedOffTools: SwitchedOffTools,
  timeZone: TimeZone,
});
export type SchoolSettings = Static<typeof SchoolSettings>;

export const schoolOperations = internal('Schools', {
  listSchools: {
    route: 'GET /schools',
    ...readSchools,
    summary: 'List the schools in your range',
    shows: ['school'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(School),
  },

  getSchool: {
    route: 'GET /schools/:id',
    ...readSchools,
    summary: 'Read one school',
    target: { school: 'path.id' },
    shows: ['school'],
    data: School,
  },

  createSchool: {
    route: 'POST /schools',
    ...manageSchools,
    summary: 'Create a school',
    affects: ['school'],
    activity: { verb: 'added', subject: 'school' },
    body: Input({
      name: Name,
      timeZone: Optional(TimeZone, 'The time zone. The default is `SCHOOL_TIME_ZONE`.'),
    }),
    data: School,
  },

  getSchoolDefaults: {
    route: 'GET /school-defaults',
    ...manageSchools,
    summary: 'Read the defaults of a new school',
    shows: [],
    data: Type.Object({ timeZone: is(TimeZone, 'The time zone from `SCHOOL_TIME_ZONE`.') }),
  },

  updateSchool: {
    route: 'PATCH /schools/:id',
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
  },

  deleteSchool: {
    route: 'DELETE /schools/:id',
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
  },
});

export const schoolSettingsOperations = dutyInSchool('School settings', 'manageSchoolSettings', {
  getSchoolSettings: {
    route: 'GET /school-settings',
    summary: 'Read the settings of a school',
    shows: ['school'],
    data: SchoolSettings,
  },

  updateSchoolSettings: {
    route: 'PATCH /school-settings',
    summary: 'Change the settings of a school',
    description:
      'The server erases data of former students within an hour after it is due. Erased data cannot be restored. Any `timeZone`, even the current one, recalculates the sums of all days.',
    affects: ['school', 'score'],
    stepUp: {
      when: (body: { eraseLeaversAfterDays?: number | null }) =>
        typeof body.eraseLeaversAfterDays === 'number',
      condition: 'when `eraseLeaversAfterDays` is a number',
    },
    activity: { verb: 'changed', subject: 'school' },
    body: Input({
      classmates: Type.Optional(Classmates),
      pointGivers: Type.Optional(PointGivers),
      eraseLeaversAfterDays: Type.Optional(Nullable(EraseLeaversAfterDays)),
      switchedOffTools: Type.Optional(SwitchedOffTools),
      timeZone: Type.Optional(TimeZone),
    }),
    data: SchoolSettings,
  },
});
