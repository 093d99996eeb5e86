import type { Visit } from './journeys.ts';

export interface SeededWebhooks {
  readonly failing: number;
  readonly stopped: number;
}

/** Creates webhooks with deliveries in every state by writing to the database. */
export async function seedWebhooks({ app, school }: Pick<Visit, 'app' | 'school'>): Promise<SeededWebhooks> {
  const { db } = app.database;
  const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000);
  const [{ id: classId, students }] = school.grades[0].classes;
  const sync = await school.issue({ scopeType: 'class', scopeClassId: classId, name: 'Class screen' });
  const made = async (url: string, events: string[]) =>
    ((await sync.post('/webhooks', { url, events })).data as { id: number }).id;
  const failing = await made('https://screen.riverside.example/changes', ['student.*', 'score.*']);
  const stopped = await made('https://old.riverside.example:8443/hooks', ['score.created']);
  const works = await made('https://parents.riverside.example/points', ['score.*', 'class.*', 'grade.*']);
  const change = (id: number) => db.updateTable('webhook').where('id', '=', id);
  await change(failing)
    .set({ failures: 2, failing_since: at(-20), last_delivered_at: at(-60) })
    .execute();
  await change(stopped).set({ active: false, stopped_because: 'gone' }).execute();
  await change(works)
    .set({ last_delivered_at: at(-2), missed_at: at(-3_000) })
    .execute();

  const outcomes = [
    { state: 'delivered', attempts: 1, status_code: 204, latency_ms: 48, error: null },
    { state: 'failed', attempts: 77, status_code: 422, latency_ms: 31, error: 'The receiver answered 422' },
    { state: 'skipped', attempts: 0, status_code: null, latency_ms: null, error: null },
    {
      state: 'waiting',
      attempts: 3,
      status_code: null,
      latency_ms: 10_002,
      error: 'No answer within 10 seconds',
    },
    { state: 'waiting', attempts: 0, status_code: null, latency_ms: null, error: null },
  ] as const;
  const rows = outcomes.map((outcome, index) => ({
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
    ...outcome,
  }));
  await db.insertInto('webhook_delivery').values(rows).execute();
  await change(failing)
    .set({ next_number: rows.length + 1 })
    .execute();
  return { failing, stopped };
}
