/** Seats a class: `node seating.ts CLASS_ID [COLUMNS]`. It pairs students with many and few points. */
import { Classledger, type Student } from '@classledger/client';

const { CLASSLEDGER_URL: url = '', CLASSLEDGER_TOKEN: token = '' } = process.env;
const client = new Classledger({ url, token, userAgent: 'seating/1.0' });
const [classId, columns = 6] = process.argv.slice(2).map(Number);
if (!classId) throw new Error('Usage: node seating.ts CLASS_ID [COLUMNS]');

const students: Student[] = [];
for await (const student of client.allStudents({ classId, disabled: false })) students.push(student);
students.sort((a, b) => b.totalScore - a.totalScore || a.id - b.id);
console.log(`read ${students.length} students`);

const half = Math.ceil(students.length / 2);
const best = students.slice(0, half);
const others = students.slice(half).reverse();
const inOrder = best.flatMap((student, i) => [student, ...others.slice(i, i + 1)]);

const seats = inOrder.map(({ id: userId }, place) => ({
  groupIndex: 1,
  row: Math.floor(place / columns) + 1,
  col: (place % columns) + 1,
  userId,
}));
const plan = await client.replaceSeats(classId, { seats });

const rows = Map.groupBy(plan.seats, ({ row }) => row);
for (const [row, sitting] of rows) {
  console.log(
    `${row}: ${sitting.map(({ actualName, username }) => actualName ?? username ?? '-').join(' | ')}`,
  );
}
