import type { ClassSummary, Role, Template } from '@classledger/contract';
import { inTemplateOrder } from '../../template-order.ts';

/** The templates that belong together: those of the school, or those of one class. */
export interface TemplateGroup {
  /** Null for the school-wide ones. */
  readonly classId: number | null;
  /** Grade and class; null for the school-wide ones. */
  readonly title: string | null;
  readonly plus: readonly Template[];
  readonly minus: readonly Template[];
  /** False where the role may only use them. */
  readonly mayChange: boolean;
}

/** Whether a role may create and change school-wide templates; those of its classes everyone may. */
export function mayChangeSchoolWide(role: Role): boolean {
  return role === 'super_admin' || role === 'school_admin';
}

/**
 * Groups templates for reading: the school-wide ones, then each class that has some, in the order of the classes.
 *
 * @param only narrows the classes to one, which is there even when it has none
 */
export function groupTemplates(
  templates: readonly Template[],
  classes: readonly Pick<ClassSummary, 'id' | 'name' | 'gradeName'>[],
  role: Role,
  only: number | null,
): TemplateGroup[] {
  const group = (classId: number | null, title: string | null, mayChange: boolean): TemplateGroup => {
    const own = inTemplateOrder(templates.filter((one) => (one.global ? null : one.classId) === classId));
    return {
      classId,
      title,
      plus: own.filter(({ scoreChange }) => scoreChange > 0),
      minus: own.filter(({ scoreChange }) => scoreChange < 0),
      mayChange,
    };
  };
  const ofClasses = classes
    .filter(({ id }) => only === null || id === only)
    .map(({ id, name, gradeName }) => group(id, `${gradeName} ${name}`, true))
    .filter(({ classId, plus, minus }) => classId === only || plus.length + minus.length > 0);
  const schoolWide = group(null, null, mayChangeSchoolWide(role));
  // Who can add none is not told that there are none.
  const isThere = schoolWide.mayChange || schoolWide.plus.length + schoolWide.minus.length > 0;
  return [...(isThere ? [schoolWide] : []), ...ofClasses];
}
