import type { Category } from '@classledger/contract';
import { Group } from '@mantine/core';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './category-texts.ts';
import { paletteColour } from './palette.ts';

interface CategoryMarkProps {
  /** Name and colour are null for points without a category. */
  readonly of: { readonly [K in 'name' | 'colour']: Category[K] | null };
}

/** Draws a colour, because paper leaves out backgrounds. */
export function ColourDot({ colour }: Pick<CategoryMarkProps['of'], 'colour'>) {
  return (
    <svg aria-hidden="true" width={10} height={10} style={{ flex: 'none' }}>
      <circle cx={5} cy={5} r={5} fill={paletteColour(colour)} />
    </svg>
  );
}

export function CategoryMark({ of: { name, colour } }: CategoryMarkProps) {
  const t = useTexts(texts);
  return (
    <Group component="span" display="inline-flex" gap={6} wrap="nowrap" style={{ overflowWrap: 'anywhere' }}>
      <ColourDot colour={colour} />
      {name ?? t('noCategory')}
    </Group>
  );
}
