import { type RawBuilder, sql } from 'kysely';

/* Expressions that Kysely has no function for. */

export const anyOf = (ids: readonly number[]) => sql<number>`ANY(${ids}::bigint[])`;

/** Casts the sum, because PostgreSQL sums bigint as numeric. */
export const sumOf = (summand: string) => sql<number>`coalesce(sum(${sql.raw(summand)}), 0)::bigint`;

export const rankBy = (merit: RawBuilder<number>) => sql<number>`rank() OVER (ORDER BY ${merit} DESC)::int`;

/** Returns a pattern for LIKE and ILIKE that matches texts containing this one. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
