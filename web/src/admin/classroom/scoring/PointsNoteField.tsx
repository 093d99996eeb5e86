import { limits } from 'virtual:contract';
import { Button, TextInput } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useBoard, useScoring } from './board-context.ts';
import { texts } from './texts.ts';

/** A field for the note on the next points of the selected students. Teams have no notes. */
export function PointsNoteField() {
  const t = useTexts(texts);
  const { board } = useScoring();
  const isEnabled = useBoard((now) => now.selection.ids.length > 0);
  const note = useBoard((now) => now.note);
  const fieldId = useId();
  // Open if there is a note, which was typed in another copy of this field before the window was resized.
  const [isOpen, setOpen] = useState(note !== '');
  const wasClicked = useRef(false);
  if (!useIsToolEnabled('notes')) return null;
  const toggle = () => {
    // Deletes the note, so that no hidden note is sent.
    if (isOpen) board.setNote('');
    wasClicked.current = !isOpen;
    setOpen(!isOpen);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.closest('section')?.querySelector<HTMLElement>('[data-gives-points]')?.focus();
  };
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        h={36}
        {...(!isEnabled && { bg: 'none' })}
        disabled={!isEnabled}
        aria-expanded={isOpen}
        aria-controls={isOpen ? fieldId : undefined}
        leftSection={<IconNote aria-hidden size={16} />}
        onClick={toggle}
      >
        {t('pointsNote')}
      </Button>
      {isOpen && (
        <TextInput
          id={fieldId}
          flex="1 0 100%"
          aria-label={t('pointsNoteField')}
          placeholder={t('pointsNoteField')}
          value={note}
          maxLength={limits.descriptionLengthMax}
          onChange={(event) => board.setNote(event.currentTarget.value)}
          onKeyDown={onKey}
          disabled={!isEnabled}
          ref={(field) => {
            // Focuses the field only after a click, because selecting a student must not move the focus.
            if (field && wasClicked.current) field.focus();
            wasClicked.current = false;
          }}
        />
      )}
    </>
  );
}
