import { dayAt, dayNumberOf, schoolYearOf, startOfDay } from '@classledger/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { containing, deepOffset } from '../../database/page.ts';
import type { Tables } from '../../database/tables.ts';
import { slowly } from '../../database/turns.ts';
import { nameParts } from './names.ts';
import { idIn, ownPrefix, sourcedId, sourcedIdOf } from './sourced-ids.ts';

interface Call {
  readonly data: SchoolData;
  readonly schoolId: number;
  readonly at: Date;
  readonly base: string;
}

/** A call as of the day at the school. */
interface DatedCall extends Call {
  readonly timeZone: string;
  readonly today: string;
}

interface Predicate {
  readonly field: string;
  readonly comparison: '=' | '!=' | '>' | '>=' | '<' | '<=' | '~';
  readonly value: string;
}

interface Query {
  readonly offset: number;
  readonly limit: number;
  readonly sort: { readonly field: string; readonly direction: 'asc' | 'desc' } | null;
  readonly anyOf: readonly (readonly Predicate[])[];
}

/** A field as SQL, and how equality is asked so that an index answers it. */
interface Field {
  readonly expression: RawBuilder<unknown>;
  readonly equals?: (value: string) => RawBuilder<boolean>;
}

type Row = Readonly<Record<string, string>>;
type RosterRecord = Readonly<Record<string, unknown>>;
type Rows = SelectQueryBuilder<Tables, never, object>;

interface Description {
  readonly from: (call: DatedCall) => unknown;
  readonly key: RawBuilder<number>;
  readonly fields: (call: DatedCall) => Readonly<Record<string, Field>>;
  readonly present: (row: Row, call: Call) => RosterRecord;
  /** What of `fields` is part of a record, beside `sourcedId`, `status` and `dateLastModified`. */
  readonly names: readonly string[];
  /** What else can be filtered by. */
  readonly more?: readonly string[];
}

const constant = (text: string): Field => ({ expression: sql`${text}::text` });
const column = (expression: RawBuilder<unknown>): Field => ({ expression });

const refer =
  (type: 'org' | 'academicSession' | 'course' | 'class' | 'user', paths: string) =>
  (id: string | undefined, { base }: Call) => ({
    href: `${base}/${paths}/${encodeURIComponent(id ?? '')}`,
    sourcedId: id,
    type,
  });
const org = refer('org', 'orgs');
const session = refer('academicSession', 'academicSessions');
const course = refer('course', 'courses');
const classOf = refer('class', 'classes');
const user = refer('user', 'users');

const schoolField = ({ schoolId }: Call) => constant(sourcedId('school', schoolId));
const classField: Field = {
  expression: sourcedIdOf('class', sql`c.id`),
  equals: (value) => sql`c.id = ${idIn('class', value)}`,
};
const courseField: Field = {
  expression: sourcedIdOf('course', sql`g.id`),
  equals: (value) => sql`g.id = ${idIn('course', value)}`,
};
/** The external id, unless there is none, or one that looks like ours. */
const isOurs = sql`(s.external_id IS NULL OR s.external_id LIKE ${`${ownPrefix}%`})`;
const studentField: Field = {
  expression: sql`CASE WHEN ${isOurs} THEN ${sourcedIdOf('student', sql`s.id`)} ELSE s.external_id END`,
  equals: (value) =>
    value.startsWith(ownPrefix)
      ? sql`s.id = ${idIn('student', value)} AND ${isOurs}`
      : sql`s.external_id = ${value}`,
};

const { givenName, familyName } = nameParts(sql`s.actual_name`);

const orgs = (db: Database): Description => ({
  from: ({ schoolId }) => db.selectFrom('school as o').where('o.id', '=', schoolId),
  key: sql`o.id`,
  names: ['name', 'type', 'identifier'],
  fields: ({ schoolId }) => ({
    sourcedId: constant(sourcedId('school', schoolId)),
    dateLastModified: column(sql`o.created_at`),
    name: column(sql`o.name`),
    type: constant('school'),
    identifier: constant(`school_${schoolId}`),
  }),
  present: (row) => row,
});

/** The one academic session of a roster: classes of the standard need one with an end, and terms have none before they are closed. */
const sessionId = ({ schoolId, today }: DatedCall) =>
  `classledger-year-${schoolId}-${schoolYearOf(today).schoolYear}`;

/** When the year began at the school: from then on, whatever names the session names another one. */
const yearBegins = ({ today, timeZone }: DatedCall) => {
  const begin = new Date(startOfDay(timeZone, dayNumberOf(schoolYearOf(today).startDate)));
  return sql`${begin}::timestamptz`;
};

const academicSessions = (db: Database): Description => ({
  from: ({ schoolId }) => db.selectFrom('school as o').where('o.id', '=', schoolId),
  key: sql`o.id`,
  names: ['title', 'type', 'startDate', 'endDate', 'schoolYear'],
  fields: (call) => {
    const { title, startDate, endDate, schoolYear } = schoolYearOf(call.today);
    return {
      sourcedId: constant(sessionId(call)),
      dateLastModified: column(sql`greatest(o.created_at, ${yearBegins(call)})`),
      title: constant(title),
      type: constant('term'),
      startDate: constant(startDate),
      endDate: constant(endDate),
      schoolYear: constant(schoolYear),
    };
  },
  present: (row) => row,
});

/** A roster is of today: what has graduated is in none, but for the people, who are told to be disabled. */
const courses: Description = {
  from: ({ data }) => data.grades().where('g.archived_at', 'is', null),
  key: sql`g.id`,
  names: ['title', 'courseCode', 'grades', 'org.sourcedId'],
  fields: (call) => ({
    sourcedId: courseField,
    dateLastModified: column(sql`coalesce(g.updated_at, g.created_at)`),
    title: column(sql`g.name`),
    courseCode: column(sql`g.id::text`),
    grades: column(sql`g.name`),
    'org.sourcedId': schoolField(call),
  }),
  present: ({ grades, 'org.sourcedId': school, ...row }, call) => ({
    ...row,
    grades: [grades],
    org: org(school, call),
  }),
};

const classes: Description = {
  from: ({ data }) => data.classes().where('c.archived', '=', false),
  key: sql`c.id`,
  names: ['title', 'classType', 'grades', 'course.sourcedId', 'school.sourcedId', 'terms.sourcedId'],
  more: ['students.sourcedId'],
  fields: (call) => ({
    sourcedId: classField,
    // It tells of its grade and of the year, too.
    dateLastModified: column(sql`greatest(c.created_at, c.updated_at, g.updated_at, ${yearBegins(call)})`),
    title: column(sql`c.name`),
    classType: constant('homeroom'),
    grades: column(sql`g.name`),
    'course.sourcedId': courseField,
    'school.sourcedId': schoolField(call),
    'terms.sourcedId': constant(sessionId(call)),
    'students.sourcedId': {
      expression: sql`NULL::text`,
      equals: (value) =>
        sql`c.id IN (SELECT s.class_id ${call.data.fromStudentsAlone([sql`s.erased_at IS NULL`, studentField.equals?.(value)])})`,
    },
  }),
  present: (row, call) => {
    const {
      'course.sourcedId': ofCourse,
      'school.sourcedId': school,
      'terms.sourcedId': term,
      grades,
      ...own
    } = row;
    return {
      ...own,
      grades: [grades],
      course: course(ofCourse, call),
      school: org(school, call),
      terms: [session(term, call)],
    };
  },
};

/** Whoever was erased is nobody any more. */
const persons = ({ data }: Call) => data.students().where('s.erased_at', 'is', null);

const users: Description = {
  from: persons,
  key: sql`s.id`,
  names: [
    'username',
    'enabledUser',
    'givenName',
    'familyName',
    'grades',
    'userIds.type',
    'userIds.identifier',
    'roles.roleType',
    'roles.role',
    'roles.org.sourcedId',
    'primaryOrg.sourcedId',
  ],
  more: ['class.sourcedId'],
  fields: (call) => ({
    sourcedId: studentField,
    // A student's grade changes with that of the class.
    dateLastModified: column(sql`greatest(s.created_at, s.updated_at, c.updated_at, g.updated_at)`),
    username: column(sql`s.username`),
    enabledUser: column(sql`CASE WHEN s.disabled THEN 'false' ELSE 'true' END`),
    givenName: column(givenName),
    familyName: column(familyName),
    grades: column(sql`g.name`),
    'userIds.type': constant('classledger'),
    'userIds.identifier': { expression: sql`s.id::text` },
    'roles.roleType': constant('primary'),
    'roles.role': constant('student'),
    'roles.org.sourcedId': schoolField(call),
    'primaryOrg.sourcedId': schoolField(call),
    'class.sourcedId': classField,
  }),
  present: ({ username, enabledUser, givenName, familyName, grades, ...row }, call) => {
    const school = org(row['primaryOrg.sourcedId'], call);
    const { sourcedId, status, dateLastModified } = row;
    return {
      sourcedId,
      status,
      dateLastModified,
      enabledUser,
      username,
      userIds: [{ type: row['userIds.type'], identifier: row['userIds.identifier'] }],
      givenName,
      familyName,
      roles: [{ roleType: row['roles.roleType'], role: row['roles.role'], org: school }],
      primaryOrg: school,
      grades: [grades],
    };
  },
};

const enrollments: Description = {
  from: (call) => persons(call).where('c.archived', '=', false),
  key: sql`s.id`,
  names: ['role', 'user.sourcedId', 'class.sourcedId', 'school.sourcedId'],
  fields: (call) => ({
    sourcedId: column(sql`'classledger-enrollment-' || s.id || '-' || c.id`),
    dateLastModified: column(sql`coalesce(s.updated_at, s.created_at)`),
    role: constant('student'),
    'user.sourcedId': studentField,
    'class.sourcedId': classField,
    'school.sourcedId': schoolField(call),
  }),
  present: (
    { role, 'user.sourcedId': who, 'class.sourcedId': where, 'school.sourcedId': school, ...row },
    call,
  ) => ({
    ...row,
    user: user(who, call),
    class: classOf(where, call),
    school: org(school, call),
    role,
  }),
};

const shared = ['sourcedId', 'status', 'dateLastModified'];
const operators = {
  '=': sql`=`,
  '!=': sql`<>`,
  '>': sql`>`,
  '>=': sql`>=`,
  '<': sql`<`,
  '<=': sql`<=`,
} as const;

/** Instants as the API has them everywhere. */
const instantOf = (expression: RawBuilder<unknown>) =>
  sql`to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function conditionOf({ expression, equals }: Field, { field, comparison, value }: Predicate) {
  if (comparison === '=' && equals) return equals(value);
  if (field === 'dateLastModified') {
    return sql<boolean>`${expression} ${operators[comparison as '=']} ${value}::timestamptz`;
  }
  if (comparison === '~') return sql<boolean>`(${expression}) ILIKE ${containing(value)}`;
  return sql<boolean>`(${expression}) COLLATE "C" ${operators[comparison]} ${value}`;
}

function collectionOf({ from, key, names, more = [], fields, present }: Description) {
  return {
    fields: new Set([...shared, ...names, ...more]),
    moments: new Set(['dateLastModified']),
    shown: new Set([...shared, ...names.map((name) => name.split('.', 1)[0] as string)]),
    async read(asked: Call, { offset, limit, sort, anyOf }: Query) {
      const timeZone = await asked.data.timeZone();
      const call = { ...asked, timeZone, today: dayAt(timeZone, asked.at.getTime()) };
      const all: Readonly<Record<string, Field>> = {
        status: constant('active'),
        ...fields(call),
      };
      const conditions = anyOf.map((every) =>
        sql.join(
          every.map((predicate) => sql`(${conditionOf(all[predicate.field] as Field, predicate)})`),
          sql` AND `,
        ),
      );
      const narrowed = () => {
        const rows = from(call) as Rows;
        return anyOf.some((every) => every.length === 0) || conditions.length === 0
          ? rows
          : rows.where(sql<boolean>`(${sql.join(conditions, sql` OR `)})`);
      };
      const columns = ['sourcedId', 'status', 'dateLastModified', ...names].map((name) => {
        const { expression } = all[name] as Field;
        return sql<string>`${name === 'dateLastModified' ? instantOf(expression) : expression}`.as(name);
      });
      const page = narrowed().select(columns).limit(sql.lit(limit)).offset(offset);
      const sorted =
        sort === null || sort.field === 'students.sourcedId'
          ? page
          : page.orderBy(orderOf(all[sort.field] as Field, sort));
      const isCostly = anyOf.length > 0 || sort !== null || offset >= deepOffset;
      return slowly(isCostly, async () => {
        const [counted] = await narrowed().select(sql<number>`count(*)`.as('total')).execute();
        const total = counted?.total ?? 0;
        if (offset >= total) return { records: [], total };
        const rows = (await sorted.orderBy(key).execute()) as unknown as Row[];
        return { records: rows.map((row) => present(row, call)), total };
      });
    },
  };
}

const orderOf = ({ expression }: Field, { field, direction }: NonNullable<Query['sort']>) =>
  sql`${field === 'dateLastModified' ? expression : sql`(${expression}) COLLATE "C"`} ${direction === 'asc' ? sql`ASC` : sql`DESC`}`;

/** What a roster shows of a school, as the OneRoster service asks for it (docs/oneroster.md). */
export const rosterCollections = (db: Database) => ({
  orgs: collectionOf(orgs(db)),
  academicSessions: collectionOf(academicSessions(db)),
  courses: collectionOf(courses),
  classes: collectionOf(classes),
  users: collectionOf(users),
  enrollments: collectionOf(enrollments),
});
