import type { DataOf } from '../../../api/operation-types.ts';

export type Preview = DataOf<'previewPromotion'>;
export type PreviewedClass = Preview['classes'][number];
export type DonePromotion = DataOf<'listPromotions'>[number];

export interface Target {
  readonly gradeId: number | null;
  readonly name: string;
}

export interface Draft {
  readonly targets: ReadonlyMap<number, Target>;
  readonly graduatedGradeName: string;
}

export const draftOf = ({ classes, graduatedGradeName }: Preview): Draft => ({
  targets: new Map(classes.map(({ classId, toGradeId, name }) => [classId, { gradeId: toGradeId, name }])),
  graduatedGradeName,
});

/** Changes the target grade. Classes get the proposed name only in the proposed grade: grade 7 must not get an 8A. */
export function withTarget(draft: Draft, classes: readonly PreviewedClass[], gradeId: number | null): Draft {
  const targets = new Map(draft.targets);
  for (const { classId, className, toGradeId, name } of classes) {
    targets.set(classId, { gradeId, name: gradeId === toGradeId ? name : className });
  }
  return { ...draft, targets };
}

export function withName(draft: Draft, classId: number, name: string): Draft {
  const target = draft.targets.get(classId);
  return target ? { ...draft, targets: new Map(draft.targets).set(classId, { ...target, name }) } : draft;
}

export const planOf = ({ targets, graduatedGradeName }: Draft) => ({
  classes: [...targets].map(([classId, { gradeId, name }]) => ({ classId, gradeId, name: name.trim() })),
  graduatedGradeName: graduatedGradeName.trim(),
});

/** Returns the target grade that these classes share; undefined when they differ. */
export function commonTarget(draft: Draft, classes: readonly PreviewedClass[]): number | null | undefined {
  const all = new Set(classes.map(({ classId }) => draft.targets.get(classId)?.gradeId));
  return all.size === 1 ? [...all][0] : undefined;
}

export function outcomesOf({ classes }: Preview) {
  return {
    moving: classes.filter(({ gradeId, toGradeId }) => toGradeId !== null && toGradeId !== gradeId),
    graduating: classes.filter(({ toGradeId }) => toGradeId === null),
    renamed: classes.filter(({ className, name }) => name !== className),
    // Their points of the current term go along.
    inTerm: classes.filter(({ records }) => records > 0),
  };
}

export const studentCountOf = (classes: readonly { readonly students: number }[]) =>
  classes.reduce((sum, { students }) => sum + students, 0);

/** Returns the last promotion not undone, from `since` on: someone who plans another may not know of it. */
export function lastPromotionSince<Done extends Pick<DonePromotion, 'createdAt' | 'undoneAt'>>(
  newestFirst: readonly Done[],
  since: string,
  dayOf: (iso: string) => string,
): Done | null {
  const last = newestFirst.find(({ undoneAt }) => undoneAt === null);
  return last && dayOf(last.createdAt) >= since ? last : null;
}
