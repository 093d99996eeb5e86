/** Rules of OneRoster 1.2, written by hand because copying its schemas is not allowed. `!` marks required fields. */

type Rule = (value: unknown) => boolean;

const text: Rule = (value) => typeof value === 'string';
const filled: Rule = (value) => typeof value === 'string' && value.length > 0;
const day: Rule = (value) => /^\d{4}-\d\d-\d\d$/.test(String(value));
const moment: Rule = (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value));
const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value as string);
const listOf =
  (rule: Rule, min = 0): Rule =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.every(rule);
const object =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value) =>
    problemsOf(rules, value as Record<string, unknown>).length === 0;
const reference = (type: string) =>
  object({ 'href!': (value) => URL.canParse(String(value)), 'sourcedId!': filled, 'type!': oneOf(type) });

const shared = {
  'sourcedId!': filled,
  'status!': oneOf('active', 'tobedeleted'),
  'dateLastModified!': moment,
};

const records: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  orgs: {
    ...shared,
    'name!': filled,
    'type!': oneOf('department', 'district', 'local', 'national', 'school', 'state'),
    'identifier!': text,
    parent: reference('org'),
    children: listOf(reference('org')),
  },
  academicSessions: {
    ...shared,
    'title!': filled,
    'startDate!': day,
    'endDate!': day,
    'type!': oneOf('gradingPeriod', 'semester', 'schoolYear', 'term'),
    'schoolYear!': (value) => /^\d{4}$/.test(String(value)),
    parent: reference('academicSession'),
    children: listOf(reference('academicSession')),
  },
  courses: {
    ...shared,
    'title!': filled,
    'courseCode!': text,
    schoolYear: reference('academicSession'),
    grades: listOf(text),
    org: reference('org'),
  },
  classes: {
    ...shared,
    'title!': filled,
    classCode: text,
    classType: oneOf('homeroom', 'scheduled'),
    location: text,
    grades: listOf(text),
    'course!': reference('course'),
    'school!': reference('org'),
    'terms!': listOf(reference('academicSession'), 1),
  },
  users: {
    ...shared,
    username: text,
    userIds: listOf(object({ 'type!': text, 'identifier!': text })),
    'enabledUser!': oneOf('true', 'false'),
    'givenName!': filled,
    'familyName!': filled,
    'roles!': listOf(
      object({
        'roleType!': oneOf('primary', 'secondary'),
        'role!': oneOf('student'),
        'org!': reference('org'),
      }),
      1,
    ),
    primaryOrg: reference('org'),
    identifier: text,
    grades: listOf(text),
  },
  enrollments: {
    ...shared,
    'user!': reference('user'),
    'class!': reference('class'),
    'school!': reference('org'),
    'role!': oneOf('administrator', 'proctor', 'student', 'teacher'),
    beginDate: day,
    endDate: day,
  },
};

function problemsOf(rules: Readonly<Record<string, Rule>>, record: Record<string, unknown>): string[] {
  const known = new Set(Object.keys(rules).map((name) => name.replace('!', '')));
  const unknown = Object.keys(record ?? {}).filter((name) => !known.has(name));
  const wrong = Object.entries(rules)
    .filter(([key, rule]) => {
      const value = record?.[key.replace('!', '')];
      return value === undefined ? key.endsWith('!') : !rule(value);
    })
    .map(([key]) => key);
  return [...unknown, ...wrong];
}

/** Returns the fields that break OneRoster, each with its record. */
export const nonconformities = (collection: string, list: readonly Record<string, unknown>[]) =>
  list.flatMap((record) => problemsOf(records[collection] ?? {}, record).map((name) => [name, record]));
