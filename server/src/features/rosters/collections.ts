import { dayAt, dayNumberOf, schoolYearOf, startOfDay } from '@classledger/contract';
import { gradeCodeOf } from '@classledger/contract/grade-names';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import type { Database } from '../../database/connect.ts';
import { likePattern } from '../../database/expressions.ts';
import { deepOffset } from '../../database/page.ts';
import type { Tables } from '../../database/tables.ts';
import { isCovered } from '../change-feed/read-changes.ts';
import { missingPart, nameParts } from './name-parts.ts';
import { parseSourcedId, sourcedId, sourcedIdSql } from './sourced-ids.ts';

/** The OneRoster service lists a deleted record for this many days. */
const deletedDays = 30;

interface RosterCall {
  readonly data: SchoolData;
  readonly schoolId: number;
  readonly at: Date;
  readonly base: string;
}

interface DatedCall extends RosterCall {
  readonly timeZone: string;
  readonly today: string;
  readonly db: Database;
  /** Deletions before this time are not listed. */
  readonly since: RawBuilder<unknown>;
  /** Grade codes by grade id, as JSON. */
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

/** The SQL expression of a field, and optionally an equality test that an index can answer. */
interface Field {
  readonly expression: RawBuilder<unknown>;
  readonly equals?: (value: string) => RawBuilder<boolean>;
}

type Row = Readonly<Record<string, string>>;
type RosterRecord = Readonly<Record<string, unknown>>;
type Rows = SelectQueryBuilder<Tables, never, object>;

interface Source {
  readonly from: (call: DatedCall) => unknown;
  readonly key: RawBuilder<unknown>;
  /** Records are active unless these fields contain `status`. */
  readonly fields: (call: DatedCall) => Readonly<Record<string, Field>>;
}

interface CollectionDescription extends Source {
  /** Recently deleted records, and records that left the range. They follow the others. */
  readonly deleted?: Source;
  readonly toRecord: (row: Row, call: RosterCall) => RosterRecord;
  /** Names of the `fields` that a record contains besides `sourcedId`, `status` and `dateLastModified`. */
  readonly recordFields: readonly string[];
  readonly filterFields?: readonly string[];
}

const constant = (text: string): Field => ({ expression: sql`${text}::text` });
const column = (expression: RawBuilder<unknown>): Field => ({ expression });

const referenceTo =
  (type: 'org' | 'academicSession' | 'course' | 'class' | 'user', paths: string) =>
  (id: string | undefined, { base }: RosterCall) => ({
    href: `${base}/${paths}/${encodeURIComponent(id ?? '')}`,
    sourcedId: id,
    type,
  });
const org = referenceTo('org', 'orgs');
const session = referenceTo('academicSession', 'academicSessions');
const course = referenceTo('course', 'courses');
const classOf = referenceTo('class', 'classes');
const user = referenceTo('user', 'users');

const schoolField = ({ schoolId }: RosterCall) => constant(sourcedId('school', schoolId));
const classField: Field = {
  expression: sourcedIdSql('class', sql`c.id`),
  equals: (value) => sql`c.id = ${parseSourcedId('class', value)}`,
};
const courseField: Field = {
  expression: sourcedIdSql('course', sql`g.id`),
  equals: (value) => sql`g.id = ${parseSourcedId('course', value)}`,
};
const studentField: Field = {
  expression: sourcedIdSql('student', sql`s.id`),
  equals: (value) => sql`s.id = ${parseSourcedId('student', value)}`,
};

const gradeCode = (gradeId: RawBuilder<unknown>, { gradeCodes }: DatedCall) =>
  column(sql`coalesce(${gradeCodes}::jsonb ->> ${gradeId}::text, 'Other')`);

const statusUntil = (moment: RawBuilder<unknown>) =>
  column(sql`CASE WHEN ${moment} IS NULL THEN 'active' ELSE 'tobedeleted' END`);
const isListed = (moment: RawBuilder<unknown>, { since }: DatedCall) =>
  sql<boolean>`(${moment} IS NULL OR ${moment} > ${since})`;

/** Describes how to find records that were deleted or have left the range. */
interface DeletedThings {
  readonly type: 'grade' | 'class' | 'student';
  /** Tests whether a row of `change`, alias `n`, takes a record out of the range. */
  readonly hasLeft?: RawBuilder<unknown>;
  readonly isInRange: RawBuilder<unknown>;
  /** Gives one record for each value of this expression, by default the id. */
  readonly distinct?: RawBuilder<unknown>;
}

/** Selects records that left the range as `d`: `id`, `at`, former `grade_id` and `class_id`, `names` (null: erased). */
function selectDeleted(
  call: DatedCall,
  { type, hasLeft = leavesRange(call), isInRange, distinct }: DeletedThings,
) {
  const { db, data, schoolId, since } = call;
  const record = distinct ?? sql`moved.id`;
  const found = sql`
    SELECT * FROM (
      SELECT DISTINCT ON (${record}) moved.id, n.created_at AS at, n.grade_before AS grade_id,
        n.class_before AS class_id, n.keys -> moved.id::text AS names
      FROM change n, unnest(n.ids) AS moved (id)
      WHERE n.school_id = ${schoolId} AND n.type = ${sql.lit(type)} AND n.keys IS NOT NULL AND n.created_at > ${since}
        AND ${isCovered(data, 'before')} AND ${hasLeft}
      ORDER BY ${record}, n.created_at DESC
    ) AS d WHERE NOT ${isInRange}`;
  return db.selectFrom(sql`(${found})`.as('d'));
}
const leavesRange = ({ data }: DatedCall) => sql`NOT ${isCovered(data, 'after')}`;

const deletedField = constant('tobedeleted');

const deletedStudentField: Field = {
  expression: sourcedIdSql('student', sql`d.id`),
  equals: (value) => sql`d.id = ${parseSourcedId('student', value)}`,
};
const deletedClassField: Field = {
  expression: sourcedIdSql('class', sql`d.class_id`),
  equals: (value) => sql`d.class_id = ${parseSourcedId('class', value)}`,
};
const { givenName, familyName } = nameParts(sql`s.actual_name`);

const orgs = (db: Database): CollectionDescription => ({
  from: ({ schoolId }) => db.selectFrom('school as o').where('o.id', '=', schoolId),
  key: sql`o.id`,
  recordFields: ['name', 'type', 'identifier'],
  fields: ({ schoolId }) => ({
    sourcedId: constant(sourcedId('school', schoolId)),
    dateLastModified: column(sql`o.created_at`),
    name: column(sql`o.name`),
    type: constant('school'),
    identifier: constant(`school_${schoolId}`),
  }),
  toRecord: (row) => row,
});

/** Returns the id of the school year, because OneRoster requires a session with an end and our open terms have none. */
const sessionId = ({ schoolId, today }: DatedCall) =>
  `classledger-year-${schoolId}-${schoolYearOf(today).schoolYear}`;

/** Returns the start of the school year, when every record with a session changes. */
const startOfSchoolYear = ({ today, timeZone }: DatedCall) => {
  const begin = new Date(startOfDay(timeZone, dayNumberOf(schoolYearOf(today).startDate)));
  return sql`${begin}::timestamptz`;
};

const academicSessions = (db: Database): CollectionDescription => ({
  from: ({ schoolId }) => db.selectFrom('school as o').where('o.id', '=', schoolId),
  key: sql`o.id`,
  recordFields: ['title', 'type', 'startDate', 'endDate', 'schoolYear'],
  fields: (call) => {
    const { title, startDate, endDate, schoolYear } = schoolYearOf(call.today);
    return {
      sourcedId: constant(sessionId(call)),
      dateLastModified: column(sql`greatest(o.created_at, ${startOfSchoolYear(call)})`),
      title: constant(title),
      type: constant('term'),
      startDate: constant(startDate),
      endDate: constant(endDate),
      schoolYear: constant(schoolYear),
    };
  },
  toRecord: (row) => row,
});

const deletedCourse = sourcedIdSql('course', sql`d.id`);

/** Lists grades as courses. Graduated grades and classes count as deleted; their students are only disabled. */
const courses: CollectionDescription = {
  from: (call) => call.data.grades().where(isListed(sql`g.archived_at`, call)),
  key: sql`g.id`,
  recordFields: ['title', 'courseCode', 'grades', 'org.sourcedId'],
  fields: (call) => ({
    sourcedId: courseField,
    status: statusUntil(sql`g.archived_at`),
    dateLastModified: column(sql`greatest(g.created_at, g.updated_at, g.archived_at)`),
    title: column(sql`g.name`),
    courseCode: column(sql`g.id::text`),
    grades: gradeCode(sql`g.id`, call),
    'org.sourcedId': schoolField(call),
  }),
  deleted: {
    from: (call) =>
      selectDeleted(call, { type: 'grade', isInRange: sql`d.id IN ${call.data.grades().select('g.id')}` }),
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
  toRecord: ({ grades, 'org.sourcedId': school, ...row }, call) => ({
    ...row,
    grades: [grades],
    org: org(school, call),
  }),
};

const classes: CollectionDescription = {
  from: (call) => call.data.classes().where(isListed(sql`g.archived_at`, call)),
  key: sql`c.id`,
  recordFields: ['title', 'classType', 'grades', 'course.sourcedId', 'school.sourcedId', 'terms.sourcedId'],
  filterFields: ['students.sourcedId'],
  fields: (call) => ({
    sourcedId: classField,
    status: statusUntil(sql`g.archived_at`),
    // Includes changes of the grade and the school year, which the record contains.
    dateLastModified: column(
      sql`greatest(c.created_at, c.updated_at, g.updated_at, g.archived_at, ${startOfSchoolYear(call)})`,
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
        sql`c.id IN (SELECT s.class_id ${call.data.fromStudentsUnjoined([sql`s.erased_at IS NULL`, studentField.equals?.(value)])})`,
    },
  }),
  deleted: {
    from: (call) =>
      selectDeleted(call, { type: 'class', isInRange: sql`d.id IN ${call.data.classes().select('c.id')}` }),
    key: sql`d.id`,
    fields: (call) => ({
      sourcedId: column(sourcedIdSql('class', sql`d.id`)),
      status: deletedField,
      dateLastModified: column(sql`d.at`),
      title: column(sql`coalesce(d.names ->> 'name', '-')`),
      classType: constant('homeroom'),
      grades: gradeCode(sql`d.grade_id`, call),
      'course.sourcedId': column(sourcedIdSql('course', sql`d.grade_id`)),
      'school.sourcedId': schoolField(call),
      'terms.sourcedId': constant(sessionId(call)),
      'students.sourcedId': column(sql`NULL::text`),
    }),
  },
  toRecord: (row, call) => {
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

/** Selects the students in the range, and recently erased ones, which a roster lists as deleted. */
const selectStudents = (call: DatedCall) => call.data.students().where(isListed(sql`s.erased_at`, call));
const isStudentInRange = ({ data }: DatedCall, also?: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 ${data.fromStudentsUnjoined([sql`s.id = d.id`, also])})`;

const users: CollectionDescription = {
  from: selectStudents,
  key: sql`s.id`,
  recordFields: [
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
  filterFields: ['class.sourcedId'],
  fields: (call) => ({
    sourcedId: studentField,
    status: statusUntil(sql`s.erased_at`),
    // Includes changes of class and grade, because they can change the student's grade.
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
    from: (call) => selectDeleted(call, { type: 'student', isInRange: isStudentInRange(call) }),
    key: sql`d.id`,
    fields: (call) => ({
      sourcedId: deletedStudentField,
      status: deletedField,
      dateLastModified: column(sql`d.at`),
      username: column(sql`coalesce(d.names ->> 'username', '-')`),
      enabledUser: constant('false'),
      givenName: constant(missingPart),
      familyName: constant(missingPart),
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
  toRecord: ({ username, enabledUser, givenName, familyName, identifier, grades, ...row }, call) => {
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

const enrollments: CollectionDescription = {
  from: (call) => selectStudents(call).where(isListed(sql`g.archived_at`, call)),
  key: sql`s.id`,
  recordFields: ['role', 'user.sourcedId', 'class.sourcedId', 'school.sourcedId'],
  fields: (call) => ({
    sourcedId: column(sql`'classledger-enrollment-' || s.id || '-' || c.id`),
    status: statusUntil(sql`coalesce(s.erased_at, g.archived_at)`),
    dateLastModified: column(sql`greatest(s.created_at, s.updated_at, s.erased_at, g.archived_at)`),
    role: constant('student'),
    'user.sourcedId': studentField,
    'class.sourcedId': classField,
    'school.sourcedId': schoolField(call),
  }),
  deleted: {
    from: (call) =>
      selectDeleted(call, {
        type: 'student',
        hasLeft: sql`(n.class_after IS DISTINCT FROM n.class_before OR ${leavesRange(call)})`,
        isInRange: isStudentInRange(call, sql`s.class_id = d.class_id`),
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
  toRecord: (
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

/** Always empty, because Classledger stores no demographics. */
const demographics = {
  fields: new Set(['sourcedId', 'status', 'dateLastModified']),
  moments: new Set(['dateLastModified']),
  shown: new Set(['sourcedId', 'status', 'dateLastModified']),
  read: async () => ({ records: [], total: 0 }),
};

const commonFields = ['sourcedId', 'status', 'dateLastModified'];
const operators = {
  '=': sql`=`,
  '!=': sql`<>`,
  '>': sql`>`,
  '>=': sql`>=`,
  '<': sql`<`,
  '<=': sql`<=`,
} as const;

const instantOf = (expression: RawBuilder<unknown>) =>
  sql`to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function conditionOf({ expression, equals }: Field, { field, comparison, value }: Predicate) {
  if (comparison === '=' && equals) return equals(value);
  if (field === 'dateLastModified') {
    return sql`${expression} ${operators[comparison as '=']} ${value}::timestamptz`;
  }
  if (comparison === '~') return sql`(${expression}) ILIKE ${likePattern(value)}`;
  return sql`(${expression}) COLLATE "C" ${operators[comparison]} ${value}`;
}

function createCollection(
  db: Database,
  { recordFields, filterFields = [], deleted, toRecord, ...active }: CollectionDescription,
) {
  const sources: readonly Source[] = deleted ? [active, deleted] : [active];
  return {
    fields: new Set([...commonFields, ...recordFields, ...filterFields]),
    moments: new Set(['dateLastModified']),
    shown: new Set([...commonFields, ...recordFields.map((name) => name.split('.', 1)[0] as string)]),
    async read(call: RosterCall, query: Query) {
      const { offset, limit, sort, anyOf } = query;
      const datedCall = await toDatedCall(db, call);
      return runOnSlowPool(anyOf.length > 0 || sort !== null || offset >= deepOffset, async () => {
        const records: RosterRecord[] = [];
        let total = 0;
        for (const source of sources) {
          const { count, rows } = createReader(source, datedCall, recordFields, query);
          const before = total;
          total += await count();
          const skipped = Math.max(0, offset - before);
          const wanted = limit - records.length;
          if (wanted === 0 || skipped >= total - before) continue;
          for (const row of await rows(skipped, wanted)) records.push(toRecord(row, datedCall));
        }
        return { records, total };
      });
    },
  };
}

async function toDatedCall(db: Database, call: RosterCall): Promise<DatedCall> {
  const { data, at } = call;
  const timeZone = await data.timeZone();
  const grades = await data.selectFrom('grade').select(['id', 'name']).execute();
  const since = new Date(at.getTime() - deletedDays * 24 * 3_600_000).toISOString();
  return {
    ...call,
    db,
    timeZone,
    today: dayAt(timeZone, at.getTime()),
    since: sql`${since}::timestamptz`,
    gradeCodes: JSON.stringify(Object.fromEntries(grades.map(({ id, name }) => [id, gradeCodeOf(name)]))),
  };
}

function createReader(
  { from, key, fields }: Source,
  call: DatedCall,
  recordFields: readonly string[],
  query: Query,
) {
  const { sort, anyOf } = query;
  const fieldsByName: Readonly<Record<string, Field>> = { status: constant('active'), ...fields(call) };
  const conditions = anyOf.map((every) =>
    sql.join(
      every.map((predicate) => sql`(${conditionOf(fieldsByName[predicate.field] as Field, predicate)})`),
      sql` AND `,
    ),
  );
  const selectMatching = () => {
    const rows = from(call) as Rows;
    return anyOf.some((every) => every.length === 0) || conditions.length === 0
      ? rows
      : rows.where(sql<boolean>`(${sql.join(conditions, sql` OR `)})`);
  };
  return {
    async count() {
      const { total } = await selectMatching()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },
    async rows(offset: number, limit: number) {
      const columns = ['sourcedId', 'status', 'dateLastModified', ...recordFields].map((name) => {
        const { expression } = fieldsByName[name] as Field;
        return sql<string>`${name === 'dateLastModified' ? instantOf(expression) : expression}`.as(name);
      });
      const page = selectMatching().select(columns).limit(sql.lit(limit)).offset(offset);
      const sorted =
        sort === null || sort.field === 'students.sourcedId'
          ? page
          : page.orderBy(orderOf(fieldsByName[sort.field] as Field, sort));
      return (await sorted.orderBy(key).execute()) as unknown as Row[];
    },
  };
}

const orderOf = ({ expression }: Field, { field, direction }: NonNullable<Query['sort']>) =>
  sql`${field === 'dateLastModified' ? expression : sql`(${expression}) COLLATE "C"`} ${direction === 'asc' ? sql`ASC` : sql`DESC`}`;

/** Returns the collections of the OneRoster service (docs/oneroster.md). */
export const rosterCollections = (db: Database) => ({
  orgs: createCollection(db, orgs(db)),
  academicSessions: createCollection(db, academicSessions(db)),
  courses: createCollection(db, courses),
  classes: createCollection(db, classes),
  users: createCollection(db, users),
  enrollments: createCollection(db, enrollments),
  demographics,
});
