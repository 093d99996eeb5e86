import { ActionIcon, Group, NumberInput } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';

interface NumberStepperProps {
  readonly label: string;
  readonly lessLabel: string;
  readonly moreLabel: string;
  /** A string while the user types a number. */
  readonly value: number | string;
  readonly onChange: (value: number | string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly min: number;
  readonly max: number;
}

/** A number field between two large buttons. */
export function NumberStepper(props: NumberStepperProps) {
  const { label, lessLabel, moreLabel, value, onChange, onStep, min, max } = props;
  return (
    <Group gap={6} wrap="nowrap" flex={1}>
      <ActionIcon
        variant="default"
        size={42}
        aria-label={lessLabel}
        disabled={value === min}
        onClick={() => onStep(-1)}
      >
        <IconMinus aria-hidden size={18} />
      </ActionIcon>
      <NumberInput
        aria-label={label}
        value={value}
        onChange={onChange}
        min={min}
        max={max}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        size="md"
        styles={{ input: { textAlign: 'center', fontWeight: 650, paddingInline: 4 } }}
        flex={1}
        miw="max(48px, var(--target))"
      />
      <ActionIcon
        variant="default"
        size={42}
        aria-label={moreLabel}
        disabled={value === max}
        onClick={() => onStep(1)}
      >
        <IconPlus aria-hidden size={18} />
      </ActionIcon>
    </Group>
  );
}
