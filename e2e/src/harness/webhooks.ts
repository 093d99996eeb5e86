import type { Visit } from './journeys.ts';

/** Creates webhooks with deliveries in every state by writing to the database. */
export async function seedWebhooks({ app, school }: Pick<Visit, 'app' | 'school'>) {
  const { db } = app.database;
  const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000);
  const [{ id: classId, students }] = school.grades[0].classes;
  const sync = await school.issue({ scopeType: 'class', scopeClassId: classId, name: 'Class screen' });
  const made = async (url: string, events: string[]) =>
    (await sync.created<{ id: number }>('/webhooks', { url, events })).id;
  const failing = await made('https://screen.riverside.example/changes', ['student.*', 'score.*']);
  const stopped = await made('https://old.riverside.example:8443/hooks', ['score.created']);
  const works = await made('https://parents.riverside.example/points', ['score.*', 'class.*', 'grade.*']);
  const outcomes = [
    ['delivered', 1, 204, 48, null],
    ['failed', 77, 422, 31, 'The receiver answered 422'],
    ['skipped', 0, null, null, null],
    ['waiting', 3, null, 10_002, 'No answer within 10 seconds'],
    ['waiting', 0, null, null, null],
  ] as const;
  const rows = outcomes.map(([state, attempts, status_code, latency_ms, error], index) => ({
    ...{ state, attempts, status_code, latency_ms, error },
    school_id: school.id,
    webhook_id: failing,
    number: index + 1,
    type: 'score' as const,
    action: 'created' as const,
    thing_id: 90_411 + index,
    changed_at: at(index * 5 - 60),
    created_at: at(index * 5 - 60),
    line: `student ${students[0]?.id}`,
    first_attempt_at: at(-59),
    last_attempt_at: at(-3),
    next_attempt_at: at(4),
  }));
  await db.insertInto('webhook_delivery').values(rows).execute();
  const next_number = rows.length + 1;
  const states = [
    [failing, { failures: 2, failing_since: at(-20), last_delivered_at: at(-60), next_number }],
    [stopped, { active: false, stopped_because: 'gone' }],
    [works, { last_delivered_at: at(-2), missed_at: at(-3_000) }],
  ] as const;
  for (const [id, state] of states) await db.updateTable('webhook').where('id', '=', id).set(state).execute();
  return { failing, stopped };
}
