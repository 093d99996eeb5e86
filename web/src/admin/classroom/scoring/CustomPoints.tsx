import { limits } from 'virtual:contract';
import { Button, Collapse, Group, NumberInput, type NumberInputProps, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconMinus, IconNote, IconPlus } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type PropsWithChildren, useId, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { CategorySelect } from '../../categories.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton } from '../parts.tsx';
import { useBoard, useScoring } from './board-context.ts';
import type { PointChange } from './scoring-board.ts';
import { texts } from './texts.ts';

interface CustomPointsProps {
  readonly onGive: (pointChange: PointChange) => void;
  readonly isIdle?: boolean;
}

export function CustomPoints({ onGive, isIdle = false }: CustomPointsProps) {
  const t = useTexts(texts);
  const [points, setPoints] = useState<number | string>(1);
  const [reason, setReason] = useState('');
  const [categoryId, setCategory] = useState<number | null>(null);
  const isForTeams = useBoard((board) => board.selection.teamIds !== undefined);
  const change = typeof points === 'number' ? points : 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== 0)
      onGive({ change, description: reason.trim(), ...(categoryId !== null && { categoryId }) });
  };
  // Skips 0, because zero points cannot be given.
  const step = (by: 1 | -1) => setPoints(change + by === 0 ? by : change + by);
  return (
    <form onSubmit={submit} aria-label={t('custom')}>
      <Stack gap={8}>
        <TextInput
          data-gives-points=""
          aria-label={t('customReason')}
          placeholder={t('customReason')}
          value={reason}
          maxLength={limits.descriptionLengthMax}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <CategorySelect value={categoryId} onChange={setCategory} disabled={isForTeams} />
        <Group gap={6} wrap="nowrap">
          <NumberStepper
            aria-label={t('customPoints')}
            lessLabel={t('less')}
            moreLabel={t('moreByOne')}
            value={points}
            onChange={setPoints}
            onStep={step}
            min={-limits.scoreChangeMax}
            max={limits.scoreChangeMax}
          />
          {/* Wide enough for all numbers, so that the buttons beside it stay in place. */}
          <Button
            type="submit"
            h={42}
            miw={104}
            px="sm"
            disabled={change === 0}
            variant={isIdle ? 'default' : 'filled'}
            color={change < 0 ? 'minus.7' : 'plus.7'}
          >
            {change === 0 && t('customZero')}
            {change > 0 && t('customGive', { points: change })}
            {change < 0 && t('customTake', { points: -change })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Unfolds the form. Shows `children` beside the button for that. */
export function FoldedCustomPoints({
  onGive,
  children,
}: PropsWithChildren<Pick<CustomPointsProps, 'onGive'>>) {
  const t = useTexts(texts);
  const [isOpen, { toggle }] = useDisclosure();
  const folded = useRef<HTMLDivElement>(null);
  return (
    <div ref={folded}>
      <Group gap={0}>
        <Button
          variant="subtle"
          size="compact-sm"
          h={36}
          data-gives-points=""
          aria-expanded={isOpen}
          onClick={toggle}
          rightSection={<IconChevronDown aria-hidden size={16} style={isOpen ? { rotate: '180deg' } : {}} />}
        >
          {t('custom')}
        </Button>
        {children}
      </Group>
      {/* Scrolls when unfolded, because the form may lie below the edge of the screen. */}
      <Collapse
        expanded={isOpen}
        onTransitionEnd={() => isOpen && folded.current?.scrollIntoView({ block: 'nearest' })}
      >
        <CustomPoints onGive={onGive} />
      </Collapse>
    </div>
  );
}

interface NumberStepperProps
  extends Pick<NumberInputProps, 'aria-label' | 'value' | 'onChange' | 'min' | 'max'> {
  readonly lessLabel: string;
  readonly moreLabel: string;
  readonly onStep: (by: 1 | -1) => void;
}

export function NumberStepper({ lessLabel, moreLabel, onStep, ...field }: NumberStepperProps) {
  return (
    <Group gap={6} wrap="nowrap" flex={1}>
      <IconButton
        variant="default"
        size={42}
        icon={IconMinus}
        label={lessLabel}
        disabled={field.value === field.min}
        onClick={() => onStep(-1)}
      />
      <NumberInput
        {...field}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        size="md"
        styles={{ input: { textAlign: 'center', fontWeight: 650, paddingInline: 4 } }}
        flex={1}
        miw="max(48px, var(--target))"
      />
      <IconButton
        variant="default"
        size={42}
        icon={IconPlus}
        label={moreLabel}
        disabled={field.value === field.max}
        onClick={() => onStep(1)}
      />
    </Group>
  );
}

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
