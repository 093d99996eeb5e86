import Type, { type TProperties } from 'typebox';
import { Compile } from 'typebox/compile';

/** Rules of OneRoster 1.2, written by hand because copying its schemas is not allowed. */

const text = Type.String();
const filled = Type.String({ minLength: 1 });
const day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
const moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' });
const oneOf = (...values: string[]) => Type.Unsafe({ enum: values });
const closed = (required: TProperties, optional: TProperties = {}) =>
  Type.Object(
    { ...required, ...Type.Partial(Type.Object(optional)).properties },
    { additionalProperties: false },
  );
const reference = (type: string) =>
  closed({ href: Type.String({ pattern: '^https?://\\S+$' }), sourcedId: filled, type: oneOf(type) });
const references = (type: string, minItems = 0) => Type.Array(reference(type), { minItems });

const record = (required: TProperties, optional: TProperties = {}) => {
  const shared = { sourcedId: filled, status: oneOf('active', 'tobedeleted'), dateLastModified: moment };
  return Compile(closed({ ...shared, ...required }, optional));
};

const records = {
  orgs: record(
    {
      name: filled,
      type: oneOf('department', 'district', 'local', 'national', 'school', 'state'),
      identifier: text,
    },
    { parent: reference('org'), children: references('org') },
  ),
  academicSessions: record(
    {
      ...{ title: filled, startDate: day, endDate: day },
      type: oneOf('gradingPeriod', 'semester', 'schoolYear', 'term'),
      schoolYear: Type.String({ pattern: '^\\d{4}$' }),
    },
    { parent: reference('academicSession'), children: references('academicSession') },
  ),
  courses: record(
    { title: filled, courseCode: text },
    { schoolYear: reference('academicSession'), grades: Type.Array(text), org: reference('org') },
  ),
  classes: record(
    {
      title: filled,
      course: reference('course'),
      school: reference('org'),
      terms: references('academicSession', 1),
    },
    {
      ...{ classCode: text, location: text, grades: Type.Array(text) },
      classType: oneOf('homeroom', 'scheduled'),
    },
  ),
  users: record(
    {
      ...{ enabledUser: oneOf('true', 'false'), givenName: filled, familyName: filled },
      roles: Type.Array(
        closed({
          roleType: oneOf('primary', 'secondary'),
          role: oneOf('student', 'teacher'),
          org: reference('org'),
        }),
        { minItems: 1 },
      ),
    },
    {
      ...{ username: text, identifier: text, grades: Type.Array(text), primaryOrg: reference('org') },
      userIds: Type.Array(closed({ type: text, identifier: text })),
    },
  ),
  enrollments: record(
    {
      ...{ user: reference('user'), class: reference('class'), school: reference('org') },
      role: oneOf('administrator', 'proctor', 'student', 'teacher'),
    },
    { beginDate: day, endDate: day, metadata: Type.Object({}) },
  ),
};

/** Returns the errors of fields that break OneRoster, each with its record. */
export const nonconformities = (collection: string, list: readonly Record<string, unknown>[]) =>
  list.flatMap((each) => {
    const errors = records[collection as keyof typeof records].Errors(each);
    return errors.map((error) => [error.instancePath, error.message, each]);
  });
