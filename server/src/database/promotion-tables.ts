import type { GeneratedAlways } from 'kysely';
import type { NullableTimestampColumn, TimestampColumn } from './account-tables.ts';

interface PromotionTable {
  school_id: number;
  id: GeneratedAlways<number>;
  name: string;
  created_at: TimestampColumn;
  admin_id: number;
  username: string;
  scored_until: TimestampColumn;
  archived_grade_id: number | null;
  undone_at: NullableTimestampColumn;
}

interface PromotionClassTable {
  school_id: number;
  promotion_id: number;
  class_id: number;
  name_before: string;
  name_after: string;
  from_grade_id: number;
  to_grade_id: number;
  from_grade_name: string;
  to_grade_name: string;
  students: number;
}

interface PromotionStudentTable {
  school_id: number;
  promotion_id: number;
  student_id: number;
}

export interface PromotionTables {
  promotion: PromotionTable;
  promotion_class: PromotionClassTable;
  promotion_student: PromotionStudentTable;
}
