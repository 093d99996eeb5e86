import { dayAt, dayNumberOf, schoolYearOf, startOfDay } from '@classledger/contract';
import { gradeCodeOf } from '@classledger/contract/grade-names';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { covered } from '../../changes/read-changes.ts';
import type { Database } from '../../database/connect.ts';
import { containing, deepOffset } from '../../database/page.ts';
import type { Tables } from '../../database/tables.ts';
import { slowly } from '../../database/turns.ts';
import { nameParts, noPart } from './names.ts';
import { idIn, sourcedId, sourcedIdOf } from './sourced-ids.ts';

/** Clients learn of a deletion for this long. */
const deletedDays = 30;

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
  readonly db: Database;
  /** Since when deletions are told. */
  readonly since: RawBuilder<unknown>;
  /** Codes of grades by their ids, as JSON. */
  readonly gradeCodes: string;
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

/** Rows that are records of a collection. */
interface Source {
  readonly from: (call: DatedCall) => unknown;
  readonly key: RawBuilder<unknown>;
  /** Those without `status` are active. */
  readonly fields: (call: DatedCall) => Readonly<Record<string, Field>>;
}

interface Description extends Source {
  /** Records that were deleted lately, or have left the range. They follow those that are there. */
  readonly deleted?: Source;
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
const studentField: Field = {
  expression: sourcedIdOf('student', sql`s.id`),
  equals: (value) => sql`s.id = ${idIn('student', value)}`,
};

const gradeCode = (gradeId: RawBuilder<unknown>, { gradeCodes }: DatedCall) =>
  column(sql`coalesce(${gradeCodes}::jsonb ->> ${gradeId}::text, 'Other')`);

/** `tobedeleted` once something has ended, `active` before. */
const endedBy = (moment: RawBuilder<unknown>) =>
  column(sql`CASE WHEN ${moment} IS NULL THEN 'active' ELSE 'tobedeleted' END`);
const isThereSince = (moment: RawBuilder<unknown>, { since }: DatedCall) =>
  sql<boolean>`(${moment} IS NULL OR ${moment} > ${since})`;

/** What has left the range, and how it is told apart. */
interface Departure {
  readonly type: 'grade' | 'class' | 'student';
  /** Whether a row of `change`, alias `n`, takes something out of the range. */
  readonly leaves?: RawBuilder<unknown>;
  /** Whether it is in the range again, or still. */
  readonly isThere: RawBuilder<unknown>;
  /** One record of each; by default one of each thing. */
  readonly distinct?: RawBuilder<unknown>;
}

/**
 * What has left the range lately, each record at the last time, as alias `d`: `id`, `at`, `grade_id` and `class_id`
 * as they were, and `names`, which are missing for people whose data was erased.
 */
function departed(call: DatedCall, { type, leaves = leavesRange(call), isThere, distinct }: Departure) {
  const { db, data, schoolId, since } = call;
  const record = distinct ?? sql`moved.id`;
  const found = sql`
    SELECT * FROM (
      SELECT DISTINCT ON (${record}) moved.id, n.created_at AS at, n.grade_before AS grade_id,
        n.class_before AS class_id, n.keys -> moved.id::text AS names
      FROM change n, unnest(n.ids) AS moved (id)
      WHERE n.school_id = ${schoolId} AND n.type = ${sql.lit(type)} AND n.keys IS NOT NULL AND n.created_at > ${since}
        AND ${covered(data, 'before')} AND ${leaves}
      ORDER BY ${record}, n.created_at DESC
    ) AS d WHERE NOT ${isThere}`;
  return db.selectFrom(sql`(${found})`.as('d'));
}
const leavesRange = ({ data }: DatedCall) => sql`NOT ${covered(data, 'after')}`;

const deletedField = constant('tobedeleted');

const deletedStudentField: Field = {
  expression: sourcedIdOf('student', sql`d.id`),
  equals: (value) => sql`d.id = ${idIn('student', value)}`,
};
const deletedClassField: Field = {
  expression: sourcedIdOf('class', sql`d.class_id`),
  equals: (value) => sql`d.class_id = ${idIn('class', value)}`,
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

/**
 * The one academic session of a roster: classes of the standard need one with an end, and terms have none before they
 * are closed.
 */
const sessionId = ({ schoolId, today }: DatedCall) =>
  `classledger-year-${schoolId}-${schoolYearOf(today).schoolYear}`;

/** Returns when the school year began. From then on, records refer to the session of the new year. */
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

const deletedCourse = sourcedIdOf('course', sql`d.id`);

/** A roster describes the present: graduated classes count as deleted, and their students as disabled. */
const courses: Description = {
  from: (call) => call.data.grades().where(isThereSince(sql`g.archived_at`, call)),
  key: sql`g.id`,
  names: ['title', 'courseCode', 'grades', 'org.sourcedId'],
  fields: (call) => ({
    sourcedId: courseField,
    status: endedBy(sql`g.archived_at`),
    dateLastModified: column(sql`greatest(g.created_at, g.updated_at, g.archived_at)`),
    title: column(sql`g.name`),
    courseCode: column(sql`g.id::text`),
    grades: gradeCode(sql`g.id`, call),
    'org.sourcedId': schoolField(call),
  }),
  deleted: {
    from: (call) =>
      departed(call, { type: 'grade', isThere: sql`d.id IN ${call.data.grades().select('g.id')}` }),
    key: sql`d.id`,
    fields: (call) => ({
      sourcedId: column(deletedCourse),
      status: deletedField,
      dateLastModified: column(sql`d.at`),
      title: column(sql`coalesce(d.names ->> 'name', '-')`),
      courseCode: column(sql`d.id::text`),
      grades: gradeCode(sql`d.id`, call),
      'org.sourcedId': schoolField(call),
    }),
  },
  present: ({ grades, 'org.sourcedId': school, ...row }, call) => ({
    ...row,
    grades: [grades],
    org: org(school, call),
  }),
};

const classes: Description = {
  from: (call) => call.data.classes().where(isThereSince(sql`g.archived_at`, call)),
  key: sql`c.id`,
  names: ['title', 'classType', 'grades', 'course.sourcedId', 'school.sourcedId', 'terms.sourcedId'],
  more: ['students.sourcedId'],
  fields: (call) => ({
    sourcedId: classField,
    status: endedBy(sql`g.archived_at`),
    // The record contains the grade and the year, so it changes with them.
    dateLastModified: column(
      sql`greatest(c.created_at, c.updated_at, g.updated_at, g.archived_at, ${yearBegins(call)})`,
    ),
    title: column(sql`c.name`),
    classType: constant('homeroom'),
    grades: gradeCode(sql`g.id`, call),
    'course.sourcedId': courseField,
    'school.sourcedId': schoolField(call),
    'terms.sourcedId': constant(sessionId(call)),
    'students.sourcedId': {
      expression: sql`NULL::text`,
      equals: (value) =>
        sql`c.id IN (SELECT s.class_id ${call.data.fromStudentsAlone([sql`s.erased_at IS NULL`, studentField.equals?.(value)])})`,
    },
  }),
  deleted: {
    from: (call) =>
      departed(call, { type: 'class', isThere: sql`d.id IN ${call.data.classes().select('c.id')}` }),
    key: sql`d.id`,
    fields: (call) => ({
      sourcedId: column(sourcedIdOf('class', sql`d.id`)),
      status: deletedField,
      dateLastModified: column(sql`d.at`),
      title: column(sql`coalesce(d.names ->> 'name', '-')`),
      classType: constant('homeroom'),
      grades: gradeCode(sql`d.grade_id`, call),
      'course.sourcedId': column(sourcedIdOf('course', sql`d.grade_id`)),
      'school.sourcedId': schoolField(call),
      'terms.sourcedId': constant(sessionId(call)),
      'students.sourcedId': column(sql`NULL::text`),
    }),
  },
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

/** Students of the range, with those whose data was erased lately: to a roster they are deleted. */
const persons = (call: DatedCall) => call.data.students().where(isThereSince(sql`s.erased_at`, call));
const isStudentThere = ({ data }: DatedCall, also?: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 ${data.fromStudentsAlone([sql`s.id = d.id`, also])})`;

const users: Description = {
  from: persons,
  key: sql`s.id`,
  names: [
    'username',
    'enabledUser',
    'givenName',
    'familyName',
    'identifier',
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
    status: endedBy(sql`s.erased_at`),
    // A student's grade changes with that of the class.
    dateLastModified: column(
      sql`greatest(s.created_at, s.updated_at, s.erased_at, c.updated_at, g.updated_at)`,
    ),
    username: column(sql`s.username`),
    enabledUser: column(sql`CASE WHEN s.disabled THEN 'false' ELSE 'true' END`),
    givenName: column(givenName),
    familyName: column(familyName),
    identifier: { expression: sql`s.external_id`, equals: (value) => sql`s.external_id = ${value}` },
    grades: gradeCode(sql`g.id`, call),
    'userIds.type': constant('classledger'),
    'userIds.identifier': { expression: sql`s.id::text` },
    'roles.roleType': constant('primary'),
    'roles.role': constant('student'),
    'roles.org.sourcedId': schoolField(call),
    'primaryOrg.sourcedId': schoolField(call),
    'class.sourcedId': classField,
  }),
  deleted: {
    from: (call) => departed(call, { type: 'student', isThere: isStudentThere(call) }),
    key: sql`d.id`,
    fields: (call) => ({
      sourcedId: deletedStudentField,
      status: deletedField,
      dateLastModified: column(sql`d.at`),
      username: column(sql`coalesce(d.names ->> 'username', '-')`),
      enabledUser: constant('false'),
      givenName: constant(noPart),
      familyName: constant(noPart),
      identifier: column(sql`d.names ->> 'externalId'`),
      grades: gradeCode(sql`d.grade_id`, call),
      'userIds.type': constant('classledger'),
      'userIds.identifier': column(sql`d.id::text`),
      'roles.roleType': constant('primary'),
      'roles.role': constant('student'),
      'roles.org.sourcedId': schoolField(call),
      'primaryOrg.sourcedId': schoolField(call),
      'class.sourcedId': deletedClassField,
    }),
  },
  present: ({ username, enabledUser, givenName, familyName, identifier, grades, ...row }, call) => {
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
      ...(identifier && { identifier }),
      grades: [grades],
    };
  },
};

const enrollments: Description = {
  from: (call) => persons(call).where(isThereSince(sql`g.archived_at`, call)),
  key: sql`s.id`,
  names: ['role', 'user.sourcedId', 'class.sourcedId', 'school.sourcedId'],
  fields: (call) => ({
    sourcedId: column(sql`'classledger-enrollment-' || s.id || '-' || c.id`),
    status: endedBy(sql`coalesce(s.erased_at, g.archived_at)`),
    dateLastModified: column(sql`greatest(s.created_at, s.updated_at, s.erased_at, g.archived_at)`),
    role: constant('student'),
    'user.sourcedId': studentField,
    'class.sourcedId': classField,
    'school.sourcedId': schoolField(call),
  }),
  deleted: {
    from: (call) =>
      departed(call, {
        type: 'student',
        leaves: sql`(n.class_after IS DISTINCT FROM n.class_before OR ${leavesRange(call)})`,
        isThere: isStudentThere(call, sql`s.class_id = d.class_id`),
        distinct: sql`moved.id, n.class_before`,
      }),
    key: sql`d.id, d.class_id`,
    fields: (call) => ({
      sourcedId: column(sql`'classledger-enrollment-' || d.id || '-' || d.class_id`),
      status: deletedField,
      dateLastModified: column(sql`d.at`),
      role: constant('student'),
      'user.sourcedId': deletedStudentField,
      'class.sourcedId': deletedClassField,
      'school.sourcedId': schoolField(call),
    }),
  },
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

/** Classledger keeps no demographics: the collection is there, and empty. */
const demographics = {
  fields: new Set(['sourcedId', 'status', 'dateLastModified']),
  moments: new Set(['dateLastModified']),
  shown: new Set(['sourcedId', 'status', 'dateLastModified']),
  read: async () => ({ records: [], total: 0 }),
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

function collectionOf(db: Database, { names, more = [], deleted, present, ...active }: Description) {
  const sources: readonly Source[] = deleted ? [active, deleted] : [active];
  return {
    fields: new Set([...shared, ...names, ...more]),
    moments: new Set(['dateLastModified']),
    shown: new Set([...shared, ...names.map((name) => name.split('.', 1)[0] as string)]),
    async read(asked: Call, query: Query) {
      const { offset, limit, sort, anyOf } = query;
      const call = await datedCall(db, asked);
      return slowly(anyOf.length > 0 || sort !== null || offset >= deepOffset, async () => {
        const records: RosterRecord[] = [];
        let total = 0;
        for (const source of sources) {
          const { count, rows } = readerOf(source, call, names, query);
          const before = total;
          total += await count();
          const skipped = Math.max(0, offset - before);
          const wanted = limit - records.length;
          if (wanted === 0 || skipped >= total - before) continue;
          for (const row of await rows(skipped, wanted)) records.push(present(row, call));
        }
        return { records, total };
      });
    },
  };
}

async function datedCall(db: Database, asked: Call): Promise<DatedCall> {
  const { data, at, schoolId } = asked;
  const timeZone = await data.timeZone();
  const grades = await data.execute(
    sql<{ id: number; name: string }>`SELECT id, name FROM grade WHERE school_id = ${schoolId}`,
  );
  const since = new Date(at.getTime() - deletedDays * 24 * 3_600_000).toISOString();
  return {
    ...asked,
    db,
    timeZone,
    today: dayAt(timeZone, at.getTime()),
    since: sql`${since}::timestamptz`,
    gradeCodes: JSON.stringify(Object.fromEntries(grades.map(({ id, name }) => [id, gradeCodeOf(name)]))),
  };
}

/** Counts the records of a source that a query asks for, and reads a part of them. */
function readerOf({ from, key, fields }: Source, call: DatedCall, names: readonly string[], query: Query) {
  const { sort, anyOf } = query;
  const all: Readonly<Record<string, Field>> = { status: constant('active'), ...fields(call) };
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
  return {
    async count() {
      const [counted] = await narrowed().select(sql<number>`count(*)`.as('total')).execute();
      return counted?.total ?? 0;
    },
    async rows(offset: number, limit: number) {
      const columns = ['sourcedId', 'status', 'dateLastModified', ...names].map((name) => {
        const { expression } = all[name] as Field;
        return sql<string>`${name === 'dateLastModified' ? instantOf(expression) : expression}`.as(name);
      });
      const page = narrowed().select(columns).limit(sql.lit(limit)).offset(offset);
      const sorted =
        sort === null || sort.field === 'students.sourcedId'
          ? page
          : page.orderBy(orderOf(all[sort.field] as Field, sort));
      return (await sorted.orderBy(key).execute()) as unknown as Row[];
    },
  };
}

const orderOf = ({ expression }: Field, { field, direction }: NonNullable<Query['sort']>) =>
  sql`${field === 'dateLastModified' ? expression : sql`(${expression}) COLLATE "C"`} ${direction === 'asc' ? sql`ASC` : sql`DESC`}`;

/** What a roster shows of a school, as the OneRoster service asks for it (docs/oneroster.md). */
export const rosterCollections = (db: Database) => ({
  orgs: collectionOf(db, orgs(db)),
  academicSessions: collectionOf(db, academicSessions(db)),
  courses: collectionOf(db, courses),
  classes: collectionOf(db, classes),
  users: collectionOf(db, users),
  enrollments: collectionOf(db, enrollments),
  demographics: demographics,
});
