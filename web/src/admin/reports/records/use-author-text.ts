import type { Author } from '@classledger/contract';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

/** Names who wrote or took back a record; null where no one is stored. */
export function useAuthorText(): (author: Author | null) => string {
  const t = useTexts(texts);
  return (author) => {
    if (!author?.name) return t('unknownAuthor');
    return author.type === 'credential' ? t('byCredential', { name: author.name }) : author.name;
  };
}
