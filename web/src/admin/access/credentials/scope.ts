import type { ScopeType } from '@classledger/contract';

/** The range of a new credential while it is chosen. */
export interface ChosenScope {
  readonly type: ScopeType;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

/** Whether everything that the type needs is chosen. */
export function isScopeComplete({ type, gradeId, classId }: ChosenScope): boolean {
  return type === 'school' || (type === 'grade' ? gradeId !== null : classId !== null);
}

/** As the API takes it: a scope names what it is, nothing above it. */
export function scopeFields({ type, gradeId, classId }: ChosenScope) {
  return {
    scopeType: type,
    ...(type === 'grade' && { scopeGradeId: gradeId }),
    ...(type === 'class' && { scopeClassId: classId }),
  };
}
