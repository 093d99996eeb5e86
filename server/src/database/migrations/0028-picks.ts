import { type Kysely, sql } from 'kysely';

/** On which day of the school a student was picked last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE student ADD COLUMN picked_on date').execute(db);
}
