import type { ImportEffect, ImportRun } from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Instant, NullableInstant } from './account-tables.ts';

interface ImportRunTable {
  school_id: number;
  id: GeneratedAlways<number>;
  name: string | null;
  source: ImportRun['source'];
  admin_id: number;
  username: string;
  created_at: Instant;
  parts: Generated<number>;
  created_count: Generated<number>;
  changed_count: Generated<number>;
  missing_count: Generated<number>;
  undo_begun_at: NullableInstant;
  undone_at: NullableInstant;
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
  undone_at: NullableInstant;
  kept: ColumnType<Reasons | null, string | null | undefined, string | null>;
}

export interface ImportTables {
  import_run: ImportRunTable;
  import_effect: ImportEffectTable;
}
