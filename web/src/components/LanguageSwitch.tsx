import { SegmentedControl } from '@mantine/core';
import { chooseLanguage, type Language } from '../i18n/language.ts';
import { useLanguage, useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

/** Names each language in that language, for people who do not understand the current one. */
const names = [
  { value: 'zh-CN', label: '中文' },
  { value: 'en', label: 'English' },
];

export function LanguageSwitch({ fullWidth = false }: { readonly fullWidth?: boolean }) {
  const t = useTexts(texts);
  return (
    <SegmentedControl
      aria-label={t('language')}
      size="xs"
      fullWidth={fullWidth}
      data={names}
      value={useLanguage()}
      onChange={(value) => chooseLanguage(value as Language)}
    />
  );
}
