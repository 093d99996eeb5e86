import { dayAt, dayNumberOf, schoolYearOf, startOfDay } from '@classledger/contract';
import { gradeCodeOf } from '@classledger/contract/grade-names';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type {
  RosterCall,
  RosterCollection,
  RosterCollections,
  RosterPredicate,
  RosterQuery,
  RosterRecord,
} from '../../access/roster-operations.ts';
import { runOnSlowPool } from '../../database/caller.ts';
import type { Database } from '../../database/connect.ts';
import { likePattern } from '../../database/expressions.ts';
import { countRows, deepOffset } from '../../database/page.ts';
import type { Tables } from '../../database/tables.ts';
import { isCovered } from '../change-feed/read-changes.ts';
import { missingPart, nameParts, parseSourcedId, sourcedId, sourcedIdSql } from './ids-and-names.ts';

/** The OneRoster service lists a deleted record for this many days. */
const deletedDays = 30;

interface DatedCall extends RosterCall {
  readonly timeZone: string;
  readonly today: string;
  readonly db: Database;
  /** Deletions before this time are not listed. */
  readonly since: RawBuilder<unknown>;
  /** Grade codes by grade id, as JSON. */
  readonly gradeCodes: string;
  /** For lists with teachers: the classes in the range that have not graduated. */
  readonly taughtClassIds: readonly number[];
  /** Of the teachers whom the query names. */
  readonly classesOfTeachers: readonly { readonly adminId: number; readonly classId: number }[];
}

/** The SQL expression of a field, and optionally an equality test that an index can answer. */
interface Field {
  readonly expression: RawBuilder<unknown>;
  readonly equals?: (value: string) => RawBuilder<boolean>;
}

type Row = Readonly<Record<string, string | null>>;
type Rows = SelectQueryBuilder<Tables, never, object>;

interface Source {
  readonly from: (call: DatedCall) => unknown;
  readonly key: RawBuilder<unknown>;
  /** In the order of a record, after `sourcedId`, `status` and `dateLastModified`. */
  readonly fields: Readonly<Record<string, Field | ((call: DatedCall) => Field)>>;
}

interface CollectionDescription extends Source {
  /** Teachers or their enrollments. They follow those of students and share their constants. */
  readonly teachers?: Source;
  /** Recently deleted records, and records that left the range. They follow the others and share their constants. */
  readonly deleted?: Omit<Source, 'key'> & { readonly key?: Source['key'] };
  /** By default `toRecord`. */
  readonly convert?: (row: Row, call: RosterCall) => RosterRecord;
  /** The name of the field that filters can use but records lack. */
  readonly filterField?: string;
}

const constant = (text: string): Field => ({ expression: sql`${text}::text` });
const column = (expression: RawBuilder<unknown>): Field => ({ expression });

const referenceTypes: Readonly<Record<string, readonly [type: string, paths: string]>> = {
  org: ['org', 'orgs'],
  school: ['org', 'orgs'],
  primaryOrg: ['org', 'orgs'],
  terms: ['academicSession', 'academicSessions'],
  course: ['course', 'courses'],
  class: ['class', 'classes'],
  user: ['user', 'users'],
};

/** Turns fields such as `school.sourcedId` into references, and lists into arrays of one entry. */
function toRecord(row: Row, { base }: RosterCall): RosterRecord {
  const entries = Object.entries(row).map(([field, value]) => {
    const [name = '', part] = field.split('.');
    const [type, paths] = (part === 'sourcedId' && referenceTypes[name]) || [];
    const shown = type
      ? { href: `${base}/${paths}/${encodeURIComponent(value ?? '')}`, sourcedId: value, type }
      : value;
    return [name, name === 'grades' || name === 'terms' ? [shown] : shown];
  });
  return Object.fromEntries(entries);
}

const schoolField = ({ schoolId }: RosterCall) => constant(sourcedId('school', schoolId));
const idField = (kind: Parameters<typeof sourcedIdSql>[0], id: RawBuilder<number>): Field => ({
  expression: sourcedIdSql(kind, id),
  equals: (value) => sql`${id} = ${parseSourcedId(kind, value)}`,
});
const classField = idField('class', sql`c.id`);
const courseField = idField('course', sql`g.id`);
const studentField = idField('student', sql`s.id`);

const gradeCode =
  (gradeId: RawBuilder<unknown>) =>
  ({ gradeCodes }: DatedCall) =>
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

const deletedFields = { status: constant('tobedeleted'), dateLastModified: column(sql`d.at`) };
const deletedStudentField = idField('student', sql`d.id`);
const deletedClassField = idField('class', sql`d.class_id`);
const { givenName, familyName } = nameParts(sql`s.actual_name`);

const orgs: CollectionDescription = {
  from: ({ db, schoolId }) => db.selectFrom('school as o').where('o.id', '=', schoolId),
  key: sql`o.id`,
  fields: {
    sourcedId: schoolField,
    dateLastModified: column(sql`o.created_at`),
    name: column(sql`o.name`),
    type: constant('school'),
    identifier: ({ schoolId }) => constant(`school_${schoolId}`),
  },
};

/** Returns the id of the school year, because OneRoster requires a session with an end and our open terms have none. */
const sessionField = ({ schoolId, today }: DatedCall) =>
  constant(`classledger-year-${schoolId}-${schoolYearOf(today).schoolYear}`);

/** Returns the start of the school year, when every record with a session changes. */
const startOfSchoolYear = ({ today, timeZone }: DatedCall) => {
  const begin = new Date(startOfDay(timeZone, dayNumberOf(schoolYearOf(today).startDate)));
  return sql`${begin}::timestamptz`;
};

const ofSchoolYear =
  (name: keyof ReturnType<typeof schoolYearOf>) =>
  ({ today }: DatedCall) =>
    constant(schoolYearOf(today)[name]);

const academicSessions: CollectionDescription = {
  from: orgs.from,
  key: orgs.key,
  fields: {
    sourcedId: sessionField,
    dateLastModified: (call) => column(sql`greatest(o.created_at, ${startOfSchoolYear(call)})`),
    title: ofSchoolYear('title'),
    type: constant('term'),
    startDate: ofSchoolYear('startDate'),
    endDate: ofSchoolYear('endDate'),
    schoolYear: ofSchoolYear('schoolYear'),
  },
};

const deletedName = column(sql`coalesce(d.names ->> 'name', '-')`);

/** Lists grades as courses. Graduated grades and classes count as deleted; their students are only disabled. */
const courses: CollectionDescription = {
  from: (call) => call.data.grades().where(isListed(sql`g.archived_at`, call)),
  key: sql`g.id`,
  fields: {
    sourcedId: courseField,
    status: statusUntil(sql`g.archived_at`),
    dateLastModified: column(sql`greatest(g.created_at, g.updated_at, g.archived_at)`),
    title: column(sql`g.name`),
    courseCode: column(sql`g.id::text`),
    grades: gradeCode(sql`g.id`),
    'org.sourcedId': schoolField,
  },
  deleted: {
    from: (call) =>
      selectDeleted(call, { type: 'grade', isInRange: sql`d.id IN ${call.data.grades().select('g.id')}` }),
    fields: {
      sourcedId: column(sourcedIdSql('course', sql`d.id`)),
      title: deletedName,
      courseCode: column(sql`d.id::text`),
      grades: gradeCode(sql`d.id`),
    },
  },
};

const classes: CollectionDescription = {
  from: (call) => call.data.classes().where(isListed(sql`g.archived_at`, call)),
  key: sql`c.id`,
  filterField: 'students.sourcedId',
  fields: {
    sourcedId: classField,
    status: statusUntil(sql`g.archived_at`),
    // Includes changes of the grade and the school year, which the record contains.
    dateLastModified: (call) =>
      column(
        sql`greatest(c.created_at, c.updated_at, g.updated_at, g.archived_at, ${startOfSchoolYear(call)})`,
      ),
    title: column(sql`c.name`),
    classType: constant('homeroom'),
    grades: gradeCode(sql`g.id`),
    'course.sourcedId': courseField,
    'school.sourcedId': schoolField,
    'terms.sourcedId': sessionField,
    'students.sourcedId': ({ data, classesOfTeachers }) => ({
      expression: sql`NULL::text`,
      equals: (value) => {
        const teacherId = parseSourcedId('teacher', value);
        const taught = classesOfTeachers.filter(({ adminId }) => adminId === teacherId);
        return sql`(c.id = ANY(${taught.map(({ classId }) => classId)}::bigint[])
          OR c.id IN (SELECT s.class_id ${data.fromStudentsUnjoined([sql`s.erased_at IS NULL`, studentField.equals?.(value)])}))`;
      },
    }),
  },
  deleted: {
    from: (call) =>
      selectDeleted(call, { type: 'class', isInRange: sql`d.id IN ${call.data.classes().select('c.id')}` }),
    fields: {
      sourcedId: column(sourcedIdSql('class', sql`d.id`)),
      title: deletedName,
      grades: gradeCode(sql`d.grade_id`),
      'course.sourcedId': column(sourcedIdSql('course', sql`d.grade_id`)),
      'students.sourcedId': column(sql`NULL::text`),
    },
  },
};

/** Selects the students in the range, and recently erased ones, which a roster lists as deleted. */
const selectStudents = (call: DatedCall) => call.data.students().where(isListed(sql`s.erased_at`, call));
const isStudentInRange = ({ data }: DatedCall, also?: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 ${data.fromStudentsUnjoined([sql`s.id = d.id`, also])})`;

/** Selects the class teachers and subject teachers, as `admin_id`, `class_id`, `subject` and `at`. */
const fromTeaching = (schoolId: number, condition: RawBuilder<unknown>) => sql`
  SELECT admin_id, class_id, max(subject) AS subject, max(at) AS at FROM (
    SELECT id AS admin_id, class_id, NULL AS subject, coalesce(updated_at, created_at) AS at
    FROM admin WHERE school_id = ${schoolId}
    UNION ALL
    SELECT admin_id, class_id, subject, created_at FROM teaching
    WHERE school_id = ${schoolId} AND promotion_id IS NULL
  ) AS e WHERE ${condition} GROUP BY admin_id, class_id`;
const teachingInRange = ({ schoolId, taughtClassIds }: DatedCall) =>
  fromTeaching(schoolId, sql`class_id = ANY(${taughtClassIds}::bigint[])`);

const isActive = { status: constant('active') };
const noText = column(sql`NULL::text`);
const nameOfTeacher = nameParts(sql`coalesce(a.name, a.username)`);

const teachers: Source = {
  from: (call) =>
    call.db
      .selectFrom('admin as a')
      .where('a.school_id', '=', call.schoolId)
      .where(sql<boolean>`a.id IN (SELECT admin_id FROM (${teachingInRange(call)}) AS e)`),
  key: sql`a.id`,
  fields: {
    ...isActive,
    sourcedId: idField('teacher', sql`a.id`),
    dateLastModified: column(sql`greatest(a.created_at, a.updated_at)`),
    enabledUser: column(sql`CASE WHEN a.disabled THEN 'false' ELSE 'true' END`),
    username: column(sql`a.username`),
    'userIds.type': constant('classledger-teacher'),
    'userIds.identifier': column(sql`a.id::text`),
    givenName: column(nameOfTeacher.givenName),
    familyName: column(nameOfTeacher.familyName),
    'roles.role': constant('teacher'),
    identifier: noText,
    grades: noText,
    'class.sourcedId': (call) => ({
      ...noText,
      equals: (value) =>
        sql`a.id IN (SELECT admin_id FROM (${teachingInRange(call)}) AS e WHERE class_id = ${parseSourcedId('class', value)})`,
    }),
  },
};

const teacherEnrollments: Source = {
  from: (call) => call.db.selectFrom(sql`(${teachingInRange(call)})`.as('e')),
  key: sql`e.class_id, e.admin_id`,
  fields: {
    ...isActive,
    sourcedId: column(sql`'classledger-enrollment-teacher-' || e.admin_id || '-' || e.class_id`),
    dateLastModified: column(sql`e.at`),
    'user.sourcedId': idField('teacher', sql`e.admin_id`),
    'class.sourcedId': idField('class', sql`e.class_id`),
    role: constant('teacher'),
    'metadata.subject': column(sql`e.subject`),
  },
};

const users: CollectionDescription = {
  from: selectStudents,
  key: sql`s.id`,
  filterField: 'class.sourcedId',
  fields: {
    sourcedId: studentField,
    status: statusUntil(sql`s.erased_at`),
    // Includes changes of class and grade, because they can change the student's grade.
    dateLastModified: column(
      sql`greatest(s.created_at, s.updated_at, s.erased_at, c.updated_at, g.updated_at)`,
    ),
    enabledUser: column(sql`CASE WHEN s.disabled THEN 'false' ELSE 'true' END`),
    username: column(sql`s.username`),
    'userIds.type': constant('classledger'),
    'userIds.identifier': column(sql`s.id::text`),
    givenName: column(givenName),
    familyName: column(familyName),
    'roles.roleType': constant('primary'),
    'roles.role': constant('student'),
    'roles.org.sourcedId': schoolField,
    'primaryOrg.sourcedId': schoolField,
    identifier: { expression: sql`s.external_id`, equals: (value) => sql`s.external_id = ${value}` },
    grades: gradeCode(sql`g.id`),
    'class.sourcedId': classField,
  },
  teachers,
  deleted: {
    from: (call) => selectDeleted(call, { type: 'student', isInRange: isStudentInRange(call) }),
    fields: {
      sourcedId: deletedStudentField,
      enabledUser: constant('false'),
      username: column(sql`coalesce(d.names ->> 'username', '-')`),
      'userIds.identifier': column(sql`d.id::text`),
      givenName: constant(missingPart),
      familyName: constant(missingPart),
      identifier: column(sql`d.names ->> 'externalId'`),
      grades: gradeCode(sql`d.grade_id`),
      'class.sourcedId': deletedClassField,
    },
  },
  convert: (row, call) => {
    const { primaryOrg, identifier, grades, ...others } = toRecord(row, call);
    return {
      ...others,
      userIds: [{ type: row['userIds.type'], identifier: row['userIds.identifier'] }],
      roles: [{ roleType: row['roles.roleType'], role: row['roles.role'], org: primaryOrg }],
      primaryOrg,
      ...(identifier ? { identifier } : {}),
      ...(row.grades ? { grades } : {}),
    };
  },
};

const enrollments: CollectionDescription = {
  from: (call) => selectStudents(call).where(isListed(sql`g.archived_at`, call)),
  key: sql`s.id`,
  fields: {
    sourcedId: column(sql`'classledger-enrollment-' || s.id || '-' || c.id`),
    status: statusUntil(sql`coalesce(s.erased_at, g.archived_at)`),
    dateLastModified: column(sql`greatest(s.created_at, s.updated_at, s.erased_at, g.archived_at)`),
    'user.sourcedId': studentField,
    'class.sourcedId': classField,
    'school.sourcedId': schoolField,
    role: constant('student'),
    'metadata.subject': noText,
  },
  teachers: teacherEnrollments,
  deleted: {
    from: (call) =>
      selectDeleted(call, {
        type: 'student',
        hasLeft: sql`(n.class_after IS DISTINCT FROM n.class_before OR ${leavesRange(call)})`,
        isInRange: isStudentInRange(call, sql`s.class_id = d.class_id`),
        distinct: sql`moved.id, n.class_before`,
      }),
    key: sql`d.id, d.class_id`,
    fields: {
      sourcedId: column(sql`'classledger-enrollment-' || d.id || '-' || d.class_id`),
      'user.sourcedId': deletedStudentField,
      'class.sourcedId': deletedClassField,
    },
  },
  convert: (row, call) => {
    const { metadata: subject, ...others } = toRecord(row, call);
    return subject ? { ...others, metadata: { subject } } : others;
  },
};

const commonFields = ['sourcedId', 'status', 'dateLastModified'];

/** Always empty, because Classledger stores no demographics. */
const demographics = {
  fields: new Set(commonFields),
  shown: new Set(commonFields),
  read: async () => ({ records: [], total: 0 }),
};

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

function conditionOf({ expression, equals }: Field, { field, comparison, value }: RosterPredicate) {
  if (comparison === '=' && equals) return equals(value);
  if (field === 'dateLastModified') {
    return sql`${expression} ${operators[comparison as '=']} ${value}::timestamptz`;
  }
  if (comparison === '~') return sql`(${expression}) ILIKE ${likePattern(value)}`;
  return sql`(${expression}) COLLATE "C" ${operators[comparison]} ${value}`;
}

function createCollection(
  db: Database,
  { filterField, teachers, deleted, convert = toRecord, ...active }: CollectionDescription,
): RosterCollection {
  const sources: Source[] = [{ ...active, fields: { ...isActive, ...active.fields } }];
  if (teachers) sources.push({ ...teachers, fields: { ...active.fields, ...teachers.fields } });
  if (deleted) {
    const deletedOnes = { ...active.fields, ...deletedFields, ...deleted.fields };
    sources.push({ key: sql`d.id`, ...deleted, fields: deletedOnes });
  }
  const fields = new Set([...commonFields, ...Object.keys(active.fields)]);
  const columns = [...fields].filter((name) => name !== filterField);
  return {
    fields,
    shown: new Set(columns.map((name) => name.split('.', 1)[0] as string)),
    async read(call: RosterCall, query: RosterQuery) {
      const { offset, limit, sort, anyOf } = query;
      const datedCall = {
        ...(await toDatedCall(db, call)),
        taughtClassIds: teachers ? await readTaughtClassIds(call) : [],
        classesOfTeachers: await readClassesOfTeachers(db, call, query),
      };
      // The role is the same in all rows of a source, so its filter costs nothing.
      const isFiltered = anyOf.flat().some(({ field }) => field !== 'roles.role');
      return runOnSlowPool(isFiltered || sort !== null || offset >= deepOffset, async () => {
        const records: RosterRecord[] = [];
        let total = 0;
        for (const source of sources) {
          const { count, rows } = createReader(source, datedCall, columns, query);
          const before = total;
          total += await count();
          const skipped = Math.max(0, offset - before);
          const wanted = limit - records.length;
          if (wanted === 0 || skipped >= total - before) continue;
          for (const row of await rows(skipped, wanted)) records.push(convert(row, datedCall));
        }
        return { records, total };
      });
    },
  };
}

/** Reads ids of classes in a separate query, because accounts can be on another database node. */
async function readTaughtClassIds({ data }: RosterCall): Promise<number[]> {
  const classes = await data.classesUnjoined().where('c.archived', '=', false).select('c.id').execute();
  return classes.map(({ id }) => id);
}

async function readClassesOfTeachers(
  db: Database,
  { schoolId }: RosterCall,
  { anyOf }: RosterQuery,
): Promise<DatedCall['classesOfTeachers']> {
  const named = anyOf.flat().filter(({ field }) => field === 'students.sourcedId');
  const ids = named.map(({ value }) => parseSourcedId('teacher', value)).filter((id) => id > 0);
  if (ids.length === 0) return [];
  const condition = sql`admin_id = ANY(${ids}::bigint[]) AND class_id IS NOT NULL`;
  const { rows } = await sql<{
    admin_id: number;
    class_id: number;
  }>`${fromTeaching(schoolId, condition)}`.execute(db);
  return rows.map(({ admin_id: adminId, class_id: classId }) => ({ adminId, classId }));
}

async function toDatedCall(
  db: Database,
  call: RosterCall,
): Promise<Omit<DatedCall, 'taughtClassIds' | 'classesOfTeachers'>> {
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
  columns: readonly string[],
  { sort, anyOf }: RosterQuery,
) {
  const fieldOf = (name: string) => {
    const field = fields[name] as Source['fields'][string];
    return typeof field === 'function' ? field(call) : field;
  };
  const conditions = anyOf.map((every) =>
    sql.join(
      every.map((predicate) => sql`(${conditionOf(fieldOf(predicate.field), predicate)})`),
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
    count: () => countRows(selectMatching()),
    async rows(offset: number, limit: number) {
      const selected = columns.map((name) => {
        const { expression } = fieldOf(name);
        return sql<string>`${name === 'dateLastModified' ? instantOf(expression) : expression}`.as(name);
      });
      const page = selectMatching().select(selected).limit(sql.lit(limit)).offset(offset);
      const sorted =
        sort === null || sort.field === 'students.sourcedId'
          ? page
          : page.orderBy(orderOf(fieldOf(sort.field), sort));
      return (await sorted.orderBy(key).execute()) as unknown as Row[];
    },
  };
}

const orderOf = ({ expression }: Field, { field, direction }: NonNullable<RosterQuery['sort']>) =>
  sql`${field === 'dateLastModified' ? expression : sql`(${expression}) COLLATE "C"`} ${direction === 'asc' ? sql`ASC` : sql`DESC`}`;

/** Returns the collections of the OneRoster service (docs/oneroster.md). */
export const rosterCollections = (db: Database): RosterCollections => ({
  orgs: createCollection(db, orgs),
  academicSessions: createCollection(db, academicSessions),
  courses: createCollection(db, courses),
  classes: createCollection(db, classes),
  users: createCollection(db, users),
  enrollments: createCollection(db, enrollments),
  demographics,
});
