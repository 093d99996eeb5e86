import { Text } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './Notes.module.css';
import { texts } from './texts.ts';

export function NoteText({ note }: { readonly note: string | null }) {
  const t = useTexts(texts);
  if (note === null) return null;
  return (
    <Text component="span" size="sm" c="dimmed" className={classes.note ?? ''}>
      <IconNote aria-hidden size={15} />
      <span className="visually-hidden">{t('note')}</span>
      <span>{note}</span>
    </Text>
  );
}
