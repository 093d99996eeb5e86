import Type, { type Static } from 'typebox';
import { Id, Input, is, Nullable, OneOf, ShownName, Titled } from '../fields.ts';
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
    'The data of classmates that students see. `names` shows only names. `front` also shows ranks and points of the top half. `all` shows ranks and points of everyone.',
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
  eraseLeaversAfterDays: Nullable(EraseLeaversAfterDays),
  switchedOffTools: SwitchedOffTools,
  timeZone: TimeZone,
});
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
    'The server erases data of former students within an hour after it is due. Erased data cannot be restored. Any `timeZone`, even the current one, recalculates the sums of all days.',
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
