import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const c = useTexts(commonTexts);
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const Shown = copied ? IconCheck : IconCopy;
  return (
    <Button variant="default" onClick={() => copy(text)} leftSection={<Shown aria-hidden size={16} />}>
      <span aria-live="polite">{copied ? c('copied') : (label ?? c('copy'))}</span>
    </Button>
  );
}
