import { limits } from 'virtual:contract';
import { ActionIcon, Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring } from './board-context.ts';
import type { Gift } from './scoring-board.ts';
import { texts } from './texts.ts';

/** Points that no template has, with a reason. Both stay for the next time. */
export function CustomPoints({ onGive }: { readonly onGive: (gift: Gift) => void }) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const [points, setPoints] = useState<number | string>(1);
  const [reason, setReason] = useState('');
  const change = typeof points === 'number' ? points : 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== 0) onGive({ change, description: reason.trim() });
  };
  const step = (by: number) => {
    // Zero gives nothing, so the step goes over it.
    const next = change + by === 0 ? by : change + by;
    setPoints(Math.max(-limits.scoreChangeMax, Math.min(limits.scoreChangeMax, next)));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={8}>
        <TextInput
          aria-label={t('customReason')}
          placeholder={t('customReason')}
          value={reason}
          maxLength={limits.descriptionLengthMax}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group gap={6} wrap="nowrap">
          <ActionIcon variant="default" size={42} aria-label={t('less')} onClick={() => step(-1)}>
            <IconMinus aria-hidden size={18} />
          </ActionIcon>
          <NumberInput
            aria-label={t('customPoints')}
            value={points}
            onChange={setPoints}
            min={-limits.scoreChangeMax}
            max={limits.scoreChangeMax}
            allowDecimal={false}
            hideControls
            size="md"
            styles={{ input: { textAlign: 'center', fontWeight: 650 } }}
            flex={1}
            miw={48}
          />
          <ActionIcon variant="default" size={42} aria-label={t('moreByOne')} onClick={() => step(1)}>
            <IconPlus aria-hidden size={18} />
          </ActionIcon>
          {/* Wide enough for any points: the steppers beside it stay under the finger. */}
          <Button
            type="submit"
            h={42}
            miw={104}
            px="sm"
            disabled={change === 0}
            color={change < 0 ? 'minus.7' : 'plus.7'}
          >
            {change === 0 ? t('customZero') : t('customGive', { points: format.signed(change) })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
