import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

export function NewsPage() {
  const t = useTexts(texts);
  return <PageHeader title={t('title')} />;
}
