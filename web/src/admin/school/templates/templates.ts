import type { ClassSummary, Role, Template } from '@classledger/contract';
import { sortTemplates } from '../../sort-templates.ts';
import type { CommonKey } from './texts.ts';

/** Small points for everyday events, more for effort. */
export const starterTemplates = [
  { key: 'commonAnswer', scoreChange: 1 },
  { key: 'commonHomework', scoreChange: 1 },
  { key: 'commonNeat', scoreChange: 1 },
  { key: 'commonHelp', scoreChange: 2 },
  { key: 'commonTeam', scoreChange: 2 },
  { key: 'commonProgress', scoreChange: 3 },
  { key: 'commonMaterials', scoreChange: -1 },
  { key: 'commonLate', scoreChange: -1 },
  { key: 'commonNoHomework', scoreChange: -2 },
  { key: 'commonDisturbs', scoreChange: -2 },
] as const satisfies readonly { key: CommonKey; scoreChange: number }[];

type TemplateToAdd = Pick<Template, 'name' | 'scoreChange'>;

interface TemplatesToAdd {
  readonly wanted: readonly TemplateToAdd[];
  /** Null for school-wide templates. */
  readonly classId: number | null;
  readonly list: () => Promise<readonly Pick<Template, 'name' | 'classId'>[]>;
  readonly create: (template: TemplateToAdd) => Promise<unknown>;
  readonly onProgress: (done: number) => void;
}

/** Adds templates one by one. Skips existing names, so that a retry adds no template twice. @throws the first error */
export async function addTemplates({ wanted, classId, list, create, onProgress }: TemplatesToAdd) {
  const there = await list();
  const names = new Set(there.filter((one) => one.classId === classId).map(({ name }) => name));
  for (const [index, template] of wanted.entries()) {
    onProgress(index);
    if (!names.has(template.name)) await create(template);
  }
  onProgress(wanted.length);
}

export interface TemplateGroup {
  /** Null for school-wide templates. */
  readonly classId: number | null;
  readonly title: string | null;
  readonly plus: readonly Template[];
  readonly minus: readonly Template[];
  readonly mayChange: boolean;
}

/** Returns whether a role may create and change school-wide templates. All roles may change those of their classes. */
export function mayChangeSchoolWide(role: Role): boolean {
  return role === 'super_admin' || role === 'school_admin';
}

/** Groups templates: school-wide ones, then each class. @param only a class to include even if it has none */
export function groupTemplates(
  templates: readonly Template[],
  classes: readonly Pick<ClassSummary, 'id' | 'name' | 'gradeName'>[],
  role: Role,
  only: number | null,
): TemplateGroup[] {
  const group = (classId: number | null, title: string | null, mayChange: boolean): TemplateGroup => {
    const own = sortTemplates(templates.filter((one) => (one.global ? null : one.classId) === classId));
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
  // Shows an empty school-wide group only to roles that can add templates to it.
  const isThere = schoolWide.mayChange || schoolWide.plus.length + schoolWide.minus.length > 0;
  return [...(isThere ? [schoolWide] : []), ...ofClasses];
}
