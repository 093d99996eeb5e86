import type { Template } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { sortTemplates } from '../../sort-templates.ts';
import { useScoring } from './board-context.ts';
import type { PointChange } from './scoring-board.ts';
import type { Shortcuts } from './use-shortcuts.ts';

interface Templates {
  /** Sorted as their number keys. */
  readonly templates: readonly Template[] | undefined;
  readonly isPending: boolean;
}

export function useTemplates(): Templates {
  const { schoolDb, classId } = useScoring();
  const { data, isPending } = useOperation('listScoreTemplates', { query: { schoolDb, classId } });
  const templates = useMemo(() => data && sortTemplates(data), [data]);
  return { templates, isPending };
}

/** Returns the points of a template. The reason is its description or, if there is none, its name. */
export function pointChangeOf({ scoreChange, description, name }: Template): PointChange {
  return { change: scoreChange, description: description || name, template: name };
}

/** Returns the number key of a template: 1 to 9, then 0. */
export function numberKeyOf(index: number): string | null {
  return index < 10 ? String((index + 1) % 10) : null;
}

export function useTemplateShortcuts(onGive: (pointChange: PointChange) => void): Shortcuts {
  const { templates = [] } = useTemplates();
  return Object.fromEntries(
    templates
      .slice(0, 10)
      .map((template, index) => [numberKeyOf(index), () => onGive(pointChangeOf(template))]),
  );
}
