import type { DataOf } from '../../../api/operation-types.ts';

export type Preview = DataOf<'previewPromotion'>;
export type PreviewedClass = Preview['classes'][number];
export type DonePromotion = DataOf<'listPromotions'>[number];

/** Where a class is to be; null: it graduates. */
export interface Target {
  readonly gradeId: number | null;
  readonly name: string;
}

/** What is planned so far. */
export interface Draft {
  readonly targets: ReadonlyMap<number, Target>;
  readonly graduatedGradeName: string;
}

/** The proposal, to be changed. */
export const draftOf = ({ classes, graduatedGradeName }: Preview): Draft => ({
  targets: new Map(classes.map(({ classId, toGradeId, name }) => [classId, { gradeId: toGradeId, name }])),
  graduatedGradeName,
});

/**
 * The draft with other targets of some classes. A class that gets back the grade of the proposal gets back its name, too, and
 * elsewhere it keeps the one that it has now: so nobody is called 8A in grade 7.
 */
export function withTarget(draft: Draft, classes: readonly PreviewedClass[], gradeId: number | null): Draft {
  const targets = new Map(draft.targets);
  for (const { classId, className, toGradeId, name } of classes) {
    targets.set(classId, { gradeId, name: gradeId === toGradeId ? name : className });
  }
  return { ...draft, targets };
}

/** The draft with another name of a class. */
export function withName(draft: Draft, classId: number, name: string): Draft {
  const target = draft.targets.get(classId);
  return target ? { ...draft, targets: new Map(draft.targets).set(classId, { ...target, name }) } : draft;
}

/** As the server takes it. */
export const planOf = ({ targets, graduatedGradeName }: Draft) => ({
  classes: [...targets].map(([classId, { gradeId, name }]) => ({ classId, gradeId, name: name.trim() })),
  graduatedGradeName: graduatedGradeName.trim(),
});

/** The one target that these classes have; undefined where they have several. */
export function commonTarget(draft: Draft, classes: readonly PreviewedClass[]): number | null | undefined {
  const all = new Set(classes.map(({ classId }) => draft.targets.get(classId)?.gradeId));
  return all.size === 1 ? [...all][0] : undefined;
}

/** What becomes of the classes, as it is told. */
export function outcomesOf({ classes }: Preview) {
  return {
    moving: classes.filter(({ gradeId, toGradeId }) => toGradeId !== null && toGradeId !== gradeId),
    graduating: classes.filter(({ toGradeId }) => toGradeId === null),
    renamed: classes.filter(({ className, name }) => name !== className),
    // Points that count go along.
    inTerm: classes.filter(({ records }) => records > 0),
  };
}

export const headsOf = (classes: readonly { readonly students: number }[]) =>
  classes.reduce((sum, { students }) => sum + students, 0);

/** The last promotion that was not undone, where it was on a day since then: who plans another one may not know of it. */
export function lastSince<Done extends Pick<DonePromotion, 'createdAt' | 'undoneAt'>>(
  newestFirst: readonly Done[],
  since: string,
  dayOf: (iso: string) => string,
): Done | null {
  const last = newestFirst.find(({ undoneAt }) => undoneAt === null);
  return last && dayOf(last.createdAt) >= since ? last : null;
}
