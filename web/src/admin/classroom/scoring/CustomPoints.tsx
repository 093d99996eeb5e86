import { limits } from 'virtual:contract';
import { Button, Collapse, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { NumberStepper } from './NumberStepper.tsx';
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
  const change = typeof points === 'number' ? points : 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== 0) onGive({ change, description: reason.trim() });
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
        <Group gap={6} wrap="nowrap">
          <NumberStepper
            label={t('customPoints')}
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

interface FoldedCustomPointsProps {
  readonly onGive: (pointChange: PointChange) => void;
  /** Shown beside the button that unfolds the form. */
  readonly children?: ReactNode;
}

export function FoldedCustomPoints({ onGive, children }: FoldedCustomPointsProps) {
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
