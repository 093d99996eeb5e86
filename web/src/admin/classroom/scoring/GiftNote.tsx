import { limits } from 'virtual:contract';
import { Button, TextInput } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useTool } from '../../use-tool.ts';
import { useChoice, useChoiceNote, useScoring } from './board-context.ts';
import classes from './Give.module.css';
import { texts } from './texts.ts';

/** What unfolds a note, and what it unfolds. */
export interface FoldedNote {
  readonly button: ReactNode;
  readonly field: ReactNode;
}

/**
 * A note for the points that are given next, folded away for those who give in two taps. Unfolded it stays, so that nothing moves under
 * the finger when points are given; folded again it takes along what was typed, for nobody could see that it is sent.
 *
 * @param enabled false where there is nobody yet whom it could be about
 * @returns null where the school has switched notes off
 */
export function useFoldedNote(
  note: string,
  onNote: (note: string) => void,
  enabled = true,
): FoldedNote | null {
  const t = useTexts(texts);
  const id = useId();
  // Another field stood elsewhere before the window changed its shape: what was typed there goes on being seen.
  const [open, setOpen] = useState(note !== '');
  const asked = useRef(false);
  if (!useTool('notes')) return null;
  // Enter goes on to what gives, as a note gives nothing.
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
          // Only when it was asked for: whoever chooses a student goes on to the templates.
          if (field && asked.current) field.focus();
          asked.current = false;
        }}
      />
    ),
  };
}

/** {@link useFoldedNote} for those who are chosen; teams have no notes. */
export function useChoiceFoldedNote(): FoldedNote | null {
  const { board } = useScoring();
  const { ids } = useChoice();
  return useFoldedNote(useChoiceNote(), (note) => board.setNote(note), ids.length > 0);
}
