import type { ScopeType } from '@classledger/contract';

export interface ChosenScope {
  readonly type: ScopeType;
  readonly gradeId: number | null;
  readonly classId: number | null;
}

export function isScopeComplete({ type, gradeId, classId }: ChosenScope): boolean {
  return type === 'school' || (type === 'grade' ? gradeId !== null : classId !== null);
}

/** Returns the fields for the API, which accepts only those of the chosen type. */
export function scopeFields({ type, gradeId, classId }: ChosenScope) {
  return {
    scopeType: type,
    ...(type === 'grade' && { scopeGradeId: gradeId }),
    ...(type === 'class' && { scopeClassId: classId }),
  };
}
