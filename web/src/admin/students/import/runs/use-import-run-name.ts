import type { ImportRun } from '@classledger/contract';
import { useTexts } from '../../../../i18n/texts.ts';
import { texts } from './texts.ts';

export function useImportRunName(): (run: Pick<ImportRun, 'name' | 'source'>) => string {
  const t = useTexts(texts);
  return ({ name, source }) => name ?? t(source === 'roster' ? 'roster' : 'pasted');
}
