/**
 * A nightly sync: `node sync.ts ROSTER.csv MIRROR.json`, with columns externalId, username, name, grade, class.
 * It disables students who are missing in the roster; for more than a tenth it requires `--disable-many`.
 * The change feed keeps the mirror, a copy of the students for other programs, up to date.
 * Students sign in at the school's provider, so generated passwords are dropped.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Classledger, CursorTooOldError, type Student, type StudentUpsertEntry } from '@classledger/client';

const { CLASSLEDGER_URL: url = '', CLASSLEDGER_TOKEN: token = '' } = process.env;
const client = new Classledger({ url, token, userAgent: 'roster-sync/1.0' });
const args = process.argv.slice(2);
const mayDisableMany = args.includes('--disable-many');
const [rosterFile = 'roster.csv', mirrorFile = 'mirror.json'] = args.filter((arg) => !arg.startsWith('--'));

function stop(why: string): never {
  console.error(why);
  process.exit(2);
}

interface Mirror {
  readonly cursor: string;
  readonly students: Readonly<Record<number, Student>>;
}

/** Renames a complete file, so a kill leaves the old mirror or the new one. */
function keep(mirror: Mirror): Mirror {
  writeFileSync(`${mirrorFile}.new`, JSON.stringify(mirror), { flush: true });
  renameSync(`${mirrorFile}.new`, mirrorFile);
  return mirror;
}

/** Reads the cursor first, so the feed repeats changes made while the list is read. */
async function readAnew(): Promise<Mirror> {
  const { cursor } = await client.getChanges({ types: ['student'] });
  const students: Record<number, Student> = {};
  for await (const student of client.allStudents()) students[student.id] = student;
  return keep({ cursor, students });
}

async function follow(): Promise<Mirror> {
  if (!existsSync(mirrorFile)) return readAnew();
  let mirror = JSON.parse(readFileSync(mirrorFile, 'utf8')) as Mirror;
  try {
    for await (const { changes, cursor } of client.changePages({
      after: mirror.cursor,
      types: ['student'],
    })) {
      const students = { ...mirror.students };
      for (const change of changes) {
        if (change.type === 'student' && change.record) students[change.id] = change.record;
        else delete students[change.id];
      }
      mirror = keep({ cursor, students });
    }
    return mirror;
  } catch (error) {
    if (error instanceof CursorTooOldError) return readAnew();
    throw error;
  }
}

const columns = ['externalId', 'username', 'name', 'grade', 'class'] as const;
type RosterRow = Readonly<Record<(typeof columns)[number], string>>;

/** Does not support quoted cells: use a library if names contain commas. */
function readRoster(): RosterRow[] {
  const [header = '', ...lines] = readFileSync(rosterFile, 'utf8').trim().split(/\r?\n/);
  const found = header.split(',').map((name) => name.trim());
  const rows = lines.map((line, n) => {
    const cells = line.split(',');
    const row = Object.fromEntries(columns.map((name) => [name, cells[found.indexOf(name)]?.trim() ?? '']));
    const missing = columns.filter((name) => row[name] === '');
    if (missing.length > 0) stop(`Line ${n + 2} of ${rosterFile} has no ${missing.join(', ')}`);
    if (cells.length !== found.length)
      stop(`Line ${n + 2} of ${rosterFile} has more or fewer cells than the header`);
    return row as RosterRow;
  });
  if (rows.length === 0) stop(`${rosterFile} has no students`);
  return rows;
}

async function classIds(roster: readonly RosterRow[]): Promise<Map<string, number>> {
  const grades = new Map<string, number>();
  const classes = new Map<string, number>();
  for await (const { id, name } of client.allGrades()) grades.set(name, id);
  for await (const { id, name, gradeName } of client.allClasses()) classes.set(`${gradeName}/${name}`, id);
  for (const row of roster) {
    const gradeId = grades.get(row.grade) ?? (await client.createGrade({ name: row.grade })).id;
    grades.set(row.grade, gradeId);
    const place = `${row.grade}/${row.class}`;
    if (!classes.has(place)) classes.set(place, (await client.createClass({ gradeId, name: row.class })).id);
  }
  return classes;
}

const before = Object.values((await follow()).students);
const known = new Map(before.map((student) => [student.externalId, student]));
const roster = readRoster();
const stays = new Set(roster.map(({ externalId }) => externalId));
const enabled = before.filter(({ externalId, disabled }) => externalId && !disabled);
const left = enabled.filter(({ externalId }) => !stays.has(externalId as string));
if (left.length > enabled.length / 10 && !mayDisableMany) {
  stop(
    `${left.length} of ${enabled.length} students would be disabled. If that is right, add --disable-many`,
  );
}
const classes = await classIds(roster);

const wanted = roster.map((row) => ({
  externalId: row.externalId,
  username: row.username,
  actualName: row.name,
  classId: classes.get(`${row.grade}/${row.class}`) as number,
  disabled: false,
}));
const isThere = (entry: (typeof wanted)[number]) => {
  const student = known.get(entry.externalId);
  return (
    student && Object.entries(entry).every(([field, value]) => student[field as keyof Student] === value)
  );
};
const batch: StudentUpsertEntry[] = [
  ...wanted.filter((entry) => !isThere(entry)),
  ...left.map(({ externalId }) => ({ externalId, disabled: true })),
];

// An upsert can be repeated, so after a kill the next run finishes the work.
const done = await client.upsertManyStudents(
  { batch },
  { onPart: ({ from, count }) => console.log('sent', from + count) },
);
for (const { success, index, reason } of done.details) {
  if (!success) console.error(`${batch[index]?.externalId}: ${reason}`);
}
const { students } = await follow();
console.log(
  `created ${done.createdCount}, changed ${done.updatedCount}, in the mirror ${Object.keys(students).length}`,
);
process.exitCode = done.failedCount > 0 ? 1 : 0;
