import type { ImportEffect, ImportEntry, ImportRow, ImportRun } from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { NullableTimestampColumn, TimestampColumn } from './account-tables.ts';

interface ImportRunTable {
  school_id: number;
  id: GeneratedAlways<number>;
  name: string | null;
  source: ImportRun['source'];
  admin_id: number;
  username: string;
  created_at: TimestampColumn;
  part_count: Generated<number>;
  parts: Generated<number>;
  total_count: Generated<number>;
  done_count: Generated<number>;
  failed_count: Generated<number>;
  created_count: Generated<number>;
  changed_count: Generated<number>;
  missing_count: Generated<number>;
  undo_begun_at: NullableTimestampColumn;
  undone_at: NullableTimestampColumn;
  undone_by: string | null;
  restored_count: Generated<number>;
  kept_count: Generated<number>;
}

type Json<T> = ColumnType<T, string, string>;
type Reasons = Readonly<Record<string, ImportEffect['kept'][number]['because']>>;

interface ImportEffectTable {
  school_id: number;
  import_id: number;
  part: number;
  student_id: number;
  action: ImportEffect['action'];
  before: Json<ImportEffect['before']>;
  after: Json<ImportEffect['after']>;
  undone_at: NullableTimestampColumn;
  kept: ColumnType<Reasons | null, string | null | undefined, string | null>;
}

/** A skipped entry has failed already, for the reason that the caller sent. */
export type StoredEntry = ImportEntry & { readonly skipped?: boolean };

interface ImportRowTable {
  school_id: number;
  import_id: number;
  part: number;
  position: number;
  created_at: TimestampColumn;
  entry: Json<StoredEntry>;
  student_id: number | null;
  action: ImportRow['action'];
  code: number | null;
  reason: string | null;
  secrets: Buffer | null;
}

interface ImportJobTable {
  id: GeneratedAlways<number>;
  school_id: number;
  import_id: number;
  admin_id: number;
  owner: string | null;
  owned_until: NullableTimestampColumn;
}

export interface ImportTables {
  import_run: ImportRunTable;
  import_effect: ImportEffectTable;
  import_row: ImportRowTable;
  import_job: ImportJobTable;
}
