import { expect } from 'vitest';
import type { Json } from './client.ts';

export const integer = expect.any(Number);
export const text = expect.any(String);
export const flag = expect.any(Boolean);
export const list = expect.any(Array);
/** UTC ISO 8601 with milliseconds. */
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const uuidV4 = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

/** Returns the values of a field in all entries. */
export const column = (entries: Json, field: string) => entries.map((entry: Json) => entry[field]);
export const idsOf = (entries: Json) => column(entries, 'id');
export const entryOf = (entries: Json, id: number) => entries.find((entry: Json) => entry.id === id);
