import { limits } from 'virtual:contract';
import { Button, TextInput } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useTool } from '../../use-tool.ts';
import { useChoice, useChoiceNote, useScoring } from './board-context.ts';
import classes from './Give.module.css';
import { texts } from './texts.ts';

export interface FoldedNote {
  readonly button: ReactNode;
  readonly field: ReactNode;
}

/** Returns null if notes are switched off. Closing clears the note, because a hidden note must not be sent. */
export function useFoldedNote(
  note: string,
  onNote: (note: string) => void,
  enabled = true,
): FoldedNote | null {
  const t = useTexts(texts);
  const id = useId();
  // A field elsewhere may already hold a note, before the window was resized.
  const [open, setOpen] = useState(note !== '');
  const asked = useRef(false);
  if (!useTool('notes')) return null;
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const around = event.currentTarget.closest('section, [role="dialog"]');
    around?.querySelector<HTMLElement>('[data-gives]')?.focus();
  };
  return {
    button: (
      <Button
        variant="subtle"
        size="compact-sm"
        h={36}
        className={classes.noteButton ?? ''}
        disabled={!enabled}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        leftSection={<IconNote aria-hidden size={16} />}
        onClick={() => {
          if (open) onNote('');
          asked.current = !open;
          setOpen(!open);
        }}
      >
        {t('giftNote')}
      </Button>
    ),
    field: open && (
      <TextInput
        id={id}
        aria-label={t('giftNoteField')}
        placeholder={t('giftNoteField')}
        value={note}
        maxLength={limits.descriptionLengthMax}
        onChange={(event) => onNote(event.currentTarget.value)}
        onKeyDown={onKey}
        disabled={!enabled}
        ref={(field) => {
          // Only after a click: selecting a student must leave the focus where it is.
          if (field && asked.current) field.focus();
          asked.current = false;
        }}
      />
    ),
  };
}

/** Returns null for teams, which have no notes. */
export function useChoiceFoldedNote(): FoldedNote | null {
  const { board } = useScoring();
  const { ids } = useChoice();
  return useFoldedNote(useChoiceNote(), (note) => board.setNote(note), ids.length > 0);
}
