import type { DataOf } from '../../../api/operation-types.ts';

export type PromotionPreview = DataOf<'previewPromotion'>;
export type PreviewedClass = PromotionPreview['classes'][number];
export type FinishedPromotion = DataOf<'listPromotions'>[number];

export interface ClassTarget {
  readonly gradeId: number | null;
  readonly name: string;
}

export interface PromotionDraft {
  readonly targets: ReadonlyMap<number, ClassTarget>;
  readonly graduatedGradeName: string;
}

export const promotionDraftOf = ({ classes, graduatedGradeName }: PromotionPreview): PromotionDraft => ({
  targets: new Map(classes.map(({ classId, toGradeId, name }) => [classId, { gradeId: toGradeId, name }])),
  graduatedGradeName,
});

/** Changes the target grade. The proposed name, such as 8A, fits only the proposed grade; others keep the name. */
export function setTargetGrade(
  draft: PromotionDraft,
  classes: readonly PreviewedClass[],
  gradeId: number | null,
): PromotionDraft {
  const targets = new Map(draft.targets);
  for (const { classId, className, toGradeId, name } of classes) {
    targets.set(classId, { gradeId, name: gradeId === toGradeId ? name : className });
  }
  return { ...draft, targets };
}

export function setTargetName(draft: PromotionDraft, classId: number, name: string): PromotionDraft {
  const target = draft.targets.get(classId);
  return target ? { ...draft, targets: new Map(draft.targets).set(classId, { ...target, name }) } : draft;
}

export const promotionPlanOf = ({ targets, graduatedGradeName }: PromotionDraft) => ({
  classes: [...targets].map(([classId, { gradeId, name }]) => ({ classId, gradeId, name: name.trim() })),
  graduatedGradeName: graduatedGradeName.trim(),
});

/** Returns the target grade that these classes have in common; undefined if they differ. */
export function commonTargetGrade(
  draft: PromotionDraft,
  classes: readonly PreviewedClass[],
): number | null | undefined {
  const all = new Set(classes.map(({ classId }) => draft.targets.get(classId)?.gradeId));
  return all.size === 1 ? [...all][0] : undefined;
}

export function summarizePreview({ classes }: PromotionPreview) {
  return {
    moving: classes.filter(({ gradeId, toGradeId }) => toGradeId !== null && toGradeId !== gradeId),
    graduating: classes.filter(({ toGradeId }) => toGradeId === null),
    renamed: classes.filter(({ className, name }) => name !== className),
    // Classes with points in the current term, which they keep.
    inTerm: classes.filter(({ records }) => records > 0),
  };
}

export const studentCountOf = (classes: readonly { readonly students: number }[]) =>
  classes.reduce((sum, { students }) => sum + students, 0);

/** Returns the last promotion that was not undone, to warn a person who plans another one. @param since a day */
export function lastPromotionSince<Done extends Pick<FinishedPromotion, 'createdAt' | 'undoneAt'>>(
  newestFirst: readonly Done[],
  since: string,
  dayOf: (iso: string) => string,
): Done | null {
  const last = newestFirst.find(({ undoneAt }) => undoneAt === null);
  return last && dayOf(last.createdAt) >= since ? last : null;
}
