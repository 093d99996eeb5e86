import { Button, Group } from '@mantine/core';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';

interface FormButtonsProps {
  readonly onCancel: () => void;
  readonly submitLabel: string;
  /** What was submitted is on its way. */
  readonly pending: boolean;
  readonly disabled?: boolean;
  /** Red button, for what cannot be undone. */
  readonly danger?: boolean;
}

/** The end of a short form in a dialog: to leave it, or to submit it. */
export function FormButtons({ onCancel, submitLabel, pending, disabled, danger }: FormButtonsProps) {
  const c = useTexts(commonTexts);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {c('cancel')}
      </Button>
      <Button type="submit" loading={pending} disabled={disabled ?? false} {...(danger && { color: 'red' })}>
        {submitLabel}
      </Button>
    </Group>
  );
}
