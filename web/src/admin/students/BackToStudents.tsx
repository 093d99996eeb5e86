import { useTexts } from '../../i18n/texts.ts';
import { BackLink } from '../BackLink.tsx';
import { texts } from './texts.ts';

export function BackToStudents() {
  const t = useTexts(texts);
  return <BackLink to="/students">{t('title')}</BackLink>;
}
