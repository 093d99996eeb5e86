import type { Category } from '@classledger/contract';
import { Select, type SelectProps } from '@mantine/core';
import { useOperation } from '../api/queries.ts';
import { CategoryMark, ColourDot } from '../components/CategoryMark.tsx';
import { texts } from '../components/category-texts.ts';
import type { Column } from '../components/list/data-table-types.ts';
import { useTexts } from '../i18n/texts.ts';
import { useSchool } from './school.tsx';

const none: readonly Category[] = [];

/** Returns the school's categories in their order, retired ones included. Most schools have none. */
export function useCategories(): readonly Category[] {
  const { schoolDb } = useSchool();
  return useOperation('listScoreCategories', { query: { schoolDb } }).data ?? none;
}

interface Categorised {
  readonly categoryId: number | null;
}

export function CategoryOf({ categoryId }: Categorised) {
  const found = useCategories().find(({ id }) => id === categoryId);
  return found && <CategoryMark of={found} />;
}

/** Returns the column for the category of each row; none for a school without categories. */
export function useCategoryColumns<Row extends Categorised>(
  phone?: NonNullable<Column<Row>['phone']>,
): readonly Column<Row>[] {
  const t = useTexts(texts);
  if (useCategories().length === 0) return [];
  const cell = ({ categoryId }: Row) => <CategoryOf categoryId={categoryId} />;
  return [{ header: t('category'), cell, ...(phone && { phone }) }];
}

/** Returns a heading with a function that names categories, for tables without colours; null without categories. */
export function useCategoryNames() {
  const t = useTexts(texts);
  const categories = useCategories();
  if (categories.length === 0) return null;
  const nameOf = ({ categoryId }: Categorised) => categories.find(({ id }) => id === categoryId)?.name ?? '';
  return [t('category'), nameOf] as const;
}

interface CategorySelectProps extends Pick<SelectProps, 'label' | 'size' | 'disabled'> {
  readonly value: number | null;
  readonly onChange: (id: number | null) => void;
  readonly error?: string;
}

/** A choice of categories in use. Shows nothing in a school without them. */
export function CategorySelect({ value, ...field }: CategorySelectProps) {
  const t = useTexts(texts);
  const categories = useCategories();
  const offered = categories.filter(({ id, retired }) => !retired || id === value);
  if (offered.length === 0) return null;
  const chosen = offered.find(({ id }) => id === value);
  return (
    <Select<number>
      aria-label={t('category')}
      placeholder={t('noCategory')}
      value={value}
      leftSection={chosen && <ColourDot colour={chosen.colour} />}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      renderOption={({ option }) => <CategoryOf categoryId={option.value} />}
      clearable
      {...field}
    />
  );
}
