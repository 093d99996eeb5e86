import Type, { type Static } from 'typebox';
import { Id, Input, is, Nullable, OneOf, ShownName } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { SwitchedOffTools } from '../records.ts';
import { TimeZone } from '../times.ts';

const tag = 'School settings';
const settings = { tag, access: 'admin', duty: 'manageSchoolSettings', school: 'required' } as const;

/** From the least visible data to the most. */
export const classmatesChoices = ['names', 'front', 'all'] as const;

const Classmates = OneOf(classmatesChoices, {
  description:
    'What students see of their classmates. `names`: the names. `front`: also the places and points of the front half. `all`: the places and points of everyone.',
});

const EraseLeaversAfterDays = Type.Integer({
  minimum: limits.eraseLeaversAfterDaysMin,
  maximum: limits.eraseLeaversAfterDaysMax,
  description: 'So many days after a student was disabled, the personal data is erased; null: never.',
});

export const SchoolSettings = Type.Object(
  {
    id: is(Id, 'Id of the school.'),
    name: ShownName,
    classmates: Classmates,
    eraseLeaversAfterDays: Nullable(EraseLeaversAfterDays),
    switchedOffTools: SwitchedOffTools,
    timeZone: TimeZone,
  },
  { title: 'SchoolSettings' },
);
export type SchoolSettings = Static<typeof SchoolSettings>;

export const getSchoolSettings = internal({
  id: 'getSchoolSettings',
  method: 'GET',
  path: '/school-settings',
  ...settings,
  summary: 'Read the settings of a school',
  shows: ['school'],
  data: SchoolSettings,
});

export const updateSchoolSettings = internal({
  id: 'updateSchoolSettings',
  method: 'PATCH',
  path: '/school-settings',
  ...settings,
  summary: 'Change the settings of a school',
  description:
    'Data of students who left is erased within an hour of its time, and cannot be brought back. A `timeZone`, even the present one, adds up the points of all days anew.',
  affects: ['school', 'score'],
  stepUp: {
    when: (body: { eraseLeaversAfterDays?: number | null }) => typeof body.eraseLeaversAfterDays === 'number',
    condition: 'when `eraseLeaversAfterDays` is a number',
  },
  activity: { verb: 'changed', subject: 'school' },
  body: Input({
    classmates: Type.Optional(Classmates),
    eraseLeaversAfterDays: Type.Optional(Nullable(EraseLeaversAfterDays)),
    switchedOffTools: Type.Optional(SwitchedOffTools),
    timeZone: Type.Optional(TimeZone),
  }),
  data: SchoolSettings,
});
