import type {
  Body,
  ExternalOperations,
  InternalOperations,
  StudentAccount,
  StudentExport,
} from '@classledger/contract';
import { type FieldTable, fieldNamesWith, mapNames, type ValueOf } from './fields.ts';

type ShownFields = StudentAccount & StudentExport['account'];
/** Leaves out the email address, because changing it also sets a date (`change-student.ts`). */
type GivenFields = Body<ExternalOperations['updateStudent']> &
  Omit<Body<InternalOperations['updateUser']>, 'password' | 'email'>;

const name = { type: 'text', changedBy: 'callers', erased: 'pseudonym', searched: 'keyword' } as const;
const detail = { type: 'text', nullable: true, changedBy: 'callers', erased: 'cleared' } as const;
const total = { type: 'bigint', changedBy: 'rules', erased: 'kept' } as const;
const since = { type: 'timestamptz', nullable: true, changedBy: 'rules', erased: 'kept' } as const;

/** Statements call the tables `s` student, `c` class and `g` grade. */
export const studentFields = {
  id: { column: 'id', type: 'bigint', changedBy: 'rules', erased: 'kept' },
  username: { column: 'username', ...name, unique: true },
  actualName: { column: 'actual_name', ...name },
  externalId: { column: 'external_id', ...detail, unique: true, searched: 'search' },
  cardNumber: { column: 'card_number', ...detail, unique: true, searched: 'search' },
  classId: { column: 'class_id', type: 'bigint', changedBy: 'callers', erased: 'kept' },
  className: { read: 'c.name', type: 'text' },
  gradeId: { read: 'g.id', type: 'bigint' },
  gradeName: { read: 'g.name', type: 'text' },
  disabled: { column: 'disabled', type: 'boolean', changedBy: 'callers', erased: 'kept' },
  disabledAt: { column: 'disabled_at', ...since },
  erased: { read: 's.erased_at IS NOT NULL', type: 'boolean' },
  erasedAt: { column: 'erased_at', ...since },
  passwordState: {
    read: `CASE WHEN NOT s.password_is_initial THEN 'own' WHEN s.password_is_shared THEN 'shared'
      WHEN NOT s.password_is_used THEN 'unused' ELSE 'initial' END`,
    type: 'text',
  },
  email: { column: 'email', type: 'text', nullable: true, changedBy: 'rules', erased: 'cleared' },
  emailBound: { read: 's.email IS NOT NULL', type: 'boolean' },
  emailBoundAt: { column: 'email_bound_at', ...since, erased: 'cleared' },
  pickedOn: { column: 'picked_on', type: 'date', nullable: true, changedBy: 'rules', erased: 'cleared' },
  totalScore: { column: 'total_score', ...total },
  addScore: { column: 'add_score', ...total },
  deductScore: { column: 'deduct_score', ...total },
  scoreCount: { column: 'score_count', ...total },
  createdAt: { column: 'created_at', type: 'timestamptz', changedBy: 'rules', erased: 'kept' },
  updatedAt: { read: 'coalesce(s.updated_at, s.created_at)', type: 'timestamptz' },
} as const satisfies FieldTable<ShownFields, GivenFields>;

type StudentFields = typeof studentFields;

/** The columns of the table that callers change. */
export type GivenColumns = {
  [K in ChangeableField as StudentFields[K]['column']]: ValueOf<StudentFields[K]>;
};

export const changeableFields = fieldNamesWith(studentFields, { changedBy: 'callers' });
export type ChangeableField = (typeof changeableFields)[number];

/** The fields that a student may lack. */
export const detailFields = fieldNamesWith(studentFields, { changedBy: 'callers', nullable: true });
export type DetailField = (typeof detailFields)[number];

/** Each value is unique in the school. The change feed keeps these values of a deleted student. */
export const identityFields = fieldNamesWith(studentFields, { unique: true });
export type IdentityField = (typeof identityFields)[number];

export const clearedFields = fieldNamesWith(studentFields, { erased: 'cleared' });
export const pseudonymFields = fieldNamesWith(studentFields, { erased: 'pseudonym' });

/** The names of an erased student, as the change feed shows them. */
export const erasedIdentity = mapNames(identityFields, () => null);
